import { readMembers } from '#accounts'
import { sendMail, type MailTemplate } from '#mail'
import type { JobScope } from '#platform'
import type { Statement } from './statement.ts'

/** Writes about a statement or a mandate to the company's administrators and accountants; the same key never sends a second mail. Returns the number of people written to. */
export async function mailAccounting<Payload>(
  scope: JobScope,
  { companyId, market, origin }: Pick<Statement, 'companyId' | 'market' | 'origin'>,
  template: MailTemplate<Payload>,
  payload: Payload,
  key: string,
): Promise<number> {
  const members = await readMembers(scope.db, companyId)
  const accounting = members.filter(({ role }) => role === 'admin' || role === 'accountant')
  for (const { id, email } of accounting)
    await sendMail(scope, template, { to: email, site: { market, mode: 'b2b', origin }, payload, key: `${key}:${id}` })
  return accounting.length
}
