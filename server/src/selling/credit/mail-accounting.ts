import { readMembers } from '#accounts'
import { sendMail, type MailTemplate } from '#mail'
import type { JobScope } from '#platform'
import type { Statement } from './statement.ts'

/** Writes about a statement or a mandate to the company's administrators and accountants; the same key never sends a second mail. */
export async function mailAccounting<Payload>(
  scope: JobScope,
  { companyId, market, origin }: Pick<Statement, 'companyId' | 'market' | 'origin'>,
  template: MailTemplate<Payload>,
  payload: Payload,
  key: string,
): Promise<void> {
  for (const { id, email, role } of await readMembers(scope.db, companyId))
    if (role === 'admin' || role === 'accountant')
      await sendMail(scope, template, { to: email, site: { market, mode: 'b2b', origin }, payload, key: `${key}:${id}` })
}
