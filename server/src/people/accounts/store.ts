import type { Market, Mode } from '@purlin/contract/markets.ts'
import type { Viewer } from '@purlin/contract/viewer.ts'
import type { Db, SessionRef, Statement } from '#platform'
import type { Session } from './session.ts'

const find = {
  name: 'accounts.find-session',
  text: `select id, market, mode, guest_email as "guestEmail", viewer, seen_at < now() - interval '1 day' as "isStale"
    from accounts.session where id = $1 and market = $2 and mode = $3 and expires_at > now()`,
}
const insert = {
  name: 'accounts.insert-session',
  text: 'insert into accounts.session (id, market, mode) values ($1, $2, $3) on conflict do nothing',
}
const touch = {
  name: 'accounts.touch-session',
  text: `update accounts.session set seen_at = now(), expires_at = now() + interval '60 days' where id = $1`,
}
const email = { name: 'accounts.set-guest-email', text: 'update accounts.session set guest_email = $2 where id = $1 returning id' }
const forget = {
  name: 'accounts.forget-sessions',
  text: 'delete from accounts.session where id in (select id from accounts.session where expires_at < now() limit 2000)',
}

/** A session counts only on the site it was made on. */
export async function findSession(db: Db, id: string, market: Market, mode: Mode): Promise<Session | null> {
  const row = await db.row<Omit<Session, 'viewer'> & { viewer: Viewer | null }>(find, [id, market, mode])
  return row ? { ...row, viewer: row.viewer ?? { kind: 'guest' } } : null
}

/** What stores a new session: written with the first thing its visitor does. */
export function sessionInsert(id: string, market: Market, mode: Mode): { statement: Statement; values: unknown[] } {
  return { statement: insert, values: [id, market, mode] }
}

export async function touchSession(db: Db, id: string): Promise<void> {
  await db.run(touch, [id])
}

/** The only write of its command, unless the command also stores the session itself: a statement does not see rows inserted by it. */
export async function setGuestEmail(db: Db, { id, isNew }: SessionRef, value: string): Promise<void> {
  await (isNew ? db.run(email, [id, value]) : db.atomic(email, [id, value]))
}

export async function forgetSessions(db: Db): Promise<void> {
  await db.run(forget)
}
