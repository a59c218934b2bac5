import type { Db, Statement } from '#platform'
import { newSessionToken, sessionIdOf } from './session.ts'

/** Sessions of buyers who come from a company's purchasing system. */

const start: Statement = {
  name: 'accounts.start-punch-out',
  text: `insert into accounts.session (id, family, customer_id, company_id, is_punch_out, expires_at) values ($1, 'b2b', $2, $3, true, $4)`,
}
const end: Statement = { name: 'accounts.end-punch-outs', text: 'delete from accounts.session where id = any($1) and is_punch_out' }

/** A session in the name of a member, which shops for the company and can do nothing else. */
export async function startPunchOutSession(
  db: Db,
  { memberId, companyId, until }: { memberId: string; companyId: string; until: Date },
): Promise<{ id: string; token: string }> {
  const token = newSessionToken()
  const id = sessionIdOf(token) ?? ''
  await db.run(start, [id, memberId, companyId, until])
  return { id, token }
}

export async function endPunchOutSessions(db: Db, ids: readonly string[]): Promise<void> {
  await db.run(end, [ids])
}
