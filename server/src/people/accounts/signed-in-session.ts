import { freshSignInSeconds, type AuthProvider } from '@purlin/contract/identity.ts'
import type { Principal } from '@purlin/contract/principal.ts'
import { newId, readTogether, type Db, type Scope, type Statement } from '#platform'
import { actingCompany } from './acting-company.ts'
import { principalOf, type PersonRow } from './principal.ts'
import type { Person } from './person.ts'
import { newSessionToken, sessionIdOf, type SessionFamily } from './session.ts'
import { sessionStatements } from './store.ts'

/** Sessions of signed-in people. */

export interface StartSession {
  family: SessionFamily
  person: Person
  provider: AuthProvider
  freshUntil: Date | null
  /** The time the person last proved who they are; null if the identity provider did not say. */
  authenticatedAt: Date | null
}

const start: Statement = {
  name: 'accounts.start-session',
  text: `insert into accounts.session (id, family, customer_id, company_id, staff_id, provider, fresh_until, sign_in_id, authenticated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
}
// Requests in flight still find their cart; the id is worthless to an attacker who planted it.
const retire: Statement = {
  name: 'accounts.retire-session',
  text: `update accounts.session set expires_at = least(expires_at, now() + interval '1 minute') where id = $1 and customer_id is null and staff_id is null`,
}
const end: Statement = {
  name: 'accounts.end-session',
  text: `delete from accounts.session where id = $1 or sign_in_id = (select s.sign_in_id from accounts.session s where s.id = $1)
    returning sign_in_id as "signInId"`,
}
const endOthers: Statement = {
  name: 'accounts.end-other-sessions',
  text: `delete from accounts.session s using accounts.session mine
    where mine.id = $1 and s.customer_id = mine.customer_id and s.id <> mine.id and s.sign_in_id is distinct from mine.sign_in_id
    returning s.sign_in_id as "signInId"`,
}
const fail: Statement = { name: 'accounts.fail-session', text: 'update accounts.session set error = $2 where sign_in_id = $1' }
const vouch: Statement = {
  name: 'accounts.vouch-for-session',
  text: 'update accounts.session set fresh_until = $2 where sign_in_id = $1',
}
const ofIdentity = `sign_in_id is not null and error is null
    and (customer_id = (select customer_id from accounts.identity where issuer = $1 and subject = $2)
      or staff_id = (select staff_id from accounts.identity where issuer = $1 and subject = $2))`
const failAll: Statement = {
  name: 'accounts.fail-sessions-of-identity',
  text: `update accounts.session set error = $3 where ${ofIdentity}`,
}
const doubt: Statement = {
  name: 'accounts.doubt-sessions-of-identity',
  text: `update accounts.session set fresh_until = 'epoch' where ${ofIdentity}`,
}
const vouched: Statement = {
  name: 'accounts.is-vouched-for',
  text: 'select exists(select 1 from accounts.session where sign_in_id = $1 and error is null and fresh_until >= now()) as "isVouchedFor"',
}
const companyNow = actingCompany('s.customer_id', 's.company_id')
const renew: Statement = {
  name: 'accounts.renew-session',
  text: `update accounts.session s set id = $2, company_id = case when $3 = 'b2b' then ${companyNow} end where s.id = $1`,
}
const startLike: Statement = {
  name: 'accounts.start-session-like',
  text: `insert into accounts.session (id, family, customer_id, company_id, provider, fresh_until, sign_in_id, authenticated_at)
    select $2, $3, s.customer_id, case when $3 = 'b2b' then ${companyNow} end, s.provider, s.fresh_until, s.sign_in_id, s.authenticated_at
    from accounts.session s join accounts.customer c on c.id = s.customer_id and c.closed_at is null
    where s.id = $1 and s.error is null and s.expires_at > now() and not s.is_punch_out`,
}
const show = sessionStatements(
  'accounts.show-sessions',
  `s.provider, s.error, s.sign_in_id as "signInId", s.expires_at as "expiresAt", coalesce(s.fresh_until < now(), false) as "isOverdue",
      coalesce(s.fresh_until = 'epoch', false) as "isDoubted"`,
  '= any($1::text[])',
  'not s.is_punch_out',
)
type ShownRow = PersonRow & Omit<ShownSession, 'principal'>
const shownTogether = (family: SessionFamily) => readTogether<ShownRow>((db, ids) => db.rows(show(family), [ids, family]))
const readShown = { b2c: shownTogether('b2c'), b2b: shownTogether('b2b'), staff: shownTogether('staff') }

/** A session under a new, unseen id: an id planted before the sign-in is not adopted. */
export async function startSession(
  db: Db,
  { family, person, provider, freshUntil, authenticatedAt }: StartSession,
): Promise<{ id: string; token: string; signInId: string }> {
  const token = newSessionToken()
  const id = sessionIdOf(token) ?? ''
  const signInId = newId()
  const [customerId, companyId, staffId] =
    person.kind === 'staff' ? [null, null, person.id] : [person.id, family === 'b2b' ? person.companyId : null, null]
  await db.run(start, [id, family, customerId, companyId, staffId, provider, freshUntil, signInId, authenticatedAt])
  return { id, token, signInId }
}

/** The same session under a new id, with its owner's current company. */
export async function renewSession(db: Db, id: string, family: SessionFamily): Promise<{ id: string; token: string }> {
  const token = newSessionToken()
  const renewed = sessionIdOf(token) ?? ''
  await db.run(renew, [id, renewed, family])
  return { id: renewed, token }
}

/** A second session of the same customer, for another family of sites; null when the first is no longer valid. */
export async function startSessionLike(db: Db, of: string, family: SessionFamily): Promise<{ id: string; token: string } | null> {
  const token = newSessionToken()
  const id = sessionIdOf(token) ?? ''
  return (await db.run(startLike, [of, id, family])) === 1 ? { id, token } : null
}

/** Lets the guest's session expire one minute after the sign-in. */
export async function retireSession(db: Db, id: string): Promise<void> {
  await db.run(retire, [id])
}

/** Ends a session and all others of the same sign-in; returns the sign-in's id. */
export async function endSession(db: Db, id: string): Promise<string | null> {
  const [ended] = await db.rows<{ signInId: string | null }>(end, [id])
  return ended?.signInId ?? null
}

/** Ends a customer's sessions of all sign-ins but this session's; returns those sign-ins. */
export async function endOtherSessions(db: Db, id: string): Promise<string[]> {
  const ended = await db.rows<{ signInId: string | null }>(endOthers, [id])
  return [...new Set(ended.flatMap(({ signInId }) => signInId ?? []))]
}

/** Invalidates the sessions of a sign-in; when requested later, they give the reason. */
export async function failSessions(db: Db, signInId: string, error: string): Promise<void> {
  await db.run(fail, [signInId, error])
}

/** Invalidates all sessions of whoever has this identity. */
export async function failSessionsOfIdentity(db: Db, issuer: string, subject: string, error: string): Promise<void> {
  await db.run(failAll, [issuer, subject, error])
}

/** The next request of each session checks with the identity provider whether it may continue. */
export async function doubtSessionsOfIdentity(db: Db, issuer: string, subject: string): Promise<void> {
  await db.run(doubt, [issuer, subject])
}

export async function vouchForSessions(db: Db, signInId: string, freshUntil: Date | null): Promise<void> {
  await db.run(vouch, [signInId, freshUntil])
}

/** Whether the identity provider has confirmed the sessions of a sign-in recently. */
export async function isVouchedFor(db: Db, signInId: string): Promise<boolean> {
  return (await db.row<{ isVouchedFor: boolean }>(vouched, [signInId]))?.isVouchedFor ?? false
}

const sessionsOf: Statement = {
  name: 'accounts.sessions-of-customer',
  text: `select family as storefront, provider, guest_email as "guestEmail", created_at as "createdAt", seen_at as "seenAt", expires_at as "expiresAt" from accounts.session
    where customer_id = $1 order by created_at`,
}

/** A session as the copy of a customer's data lists it. */
export interface ListedSession {
  storefront: SessionFamily
  provider: AuthProvider | null
  /** The address stated before the sign-in. */
  guestEmail: string | null
  createdAt: Date
  seenAt: Date
  expiresAt: Date
}

export function readSessionsOf(db: Db, customerId: string): Promise<ListedSession[]> {
  return db.rows<ListedSession>(sessionsOf, [customerId])
}

const fresh: Statement = {
  name: 'accounts.is-sign-in-fresh',
  text: `select authenticated_at > now() - interval '${freshSignInSeconds} seconds' as "isFresh" from accounts.session where id = $1`,
}

/** Whether the principal has proved recently who they are; otherwise a session left open could hand out or erase everything. */
export async function isSignInFresh({ db, session }: Pick<Scope, 'db' | 'session'>): Promise<boolean> {
  return session !== null && ((await db.row<{ isFresh: boolean | null }>(fresh, [session.id]))?.isFresh ?? false)
}

export interface ShownSession {
  id: string
  principal: Principal
  provider: AuthProvider | null
  /** Null for guest sessions and those created by tests. */
  signInId: string | null
  /** The reason it is no longer valid. */
  error: string | null
  expiresAt: Date
  /** The identity provider has not confirmed it recently. */
  isOverdue: boolean
  /** The identity provider has ended some of the person's sessions since; this may be one of them. */
  isDoubted: boolean
}

/** A session with everything its owner may see, including ended ones; one index lookup, in one statement with those of the same turn. */
export async function showSession(db: Db, id: string, family: SessionFamily): Promise<ShownSession | null> {
  const row = await readShown[family](db, id)
  if (!row) return null
  const { provider, signInId, error, expiresAt, isOverdue, isDoubted } = row
  return { id: row.id, principal: principalOf(row), provider, signInId, error, expiresAt, isOverdue, isDoubted }
}
