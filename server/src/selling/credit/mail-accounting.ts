import { readMembers } from '#accounts'
import { sendMail, type MailTemplate } from '#mail'
import type { Db, JobScope } from '#platform'
import type { Statement } from './statement.ts'

/** The members of a company who are written to about its invoices. */
export async function readAccounting(db: Db, companyId: string) {
  return (await readMembers(db, companyId)).filter(({ role }) => role === 'admin' || role === 'accountant')
}

/** Writes about a statement or a mandate to the company's administrators and accountants; the same key never sends a second mail. Returns the number of people written to. */
export async function mailAccounting<Payload>(
  scope: JobScope,
  { companyId, market, origin }: Pick<Statement, 'companyId' | 'market' | 'origin'>,
  template: MailTemplate<Payload>,
  payload: Payload,
  key: string,
): Promise<number> {
  const accounting = await readAccounting(scope.db, companyId)
  for (const { id, email } of accounting)
    await sendMail(scope, template, { to: email, site: { market, mode: 'b2b', origin }, payload, key: `${key}:${id}` })
  return accounting.length
}
