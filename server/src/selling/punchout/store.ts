import type { Market } from '@purlin/contract/markets.ts'
import type { Db, Statement } from '#platform'
import type { Credential } from './credential.ts'

const columns = `id, company_id as "companyId", member_id as "memberId", market, protocol, name, identity, created_at as "createdAt",
  last_used_at as "lastUsedAt", revoked_at as "revokedAt"`

const ofCompany: Statement = {
  name: 'punchout.credentials',
  text: `select ${columns} from punchout.credential where company_id = $1 order by revoked_at is not null, created_at desc, id desc limit 100`,
}
/** A company's credentials, those in use first. */
export function readCredentials(db: Db, companyId: string): Promise<Credential[]> {
  return db.rows<Credential>(ofCompany, [companyId])
}

// Commands lock the company before they count.
const insert: Statement = {
  name: 'punchout.insert-credential',
  text: `insert into punchout.credential (id, company_id, member_id, market, protocol, name, identity, secret_hash, created_by)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9
    where (select count(*) from punchout.credential where company_id = $2 and revoked_at is null) < $10`,
}
export type NewCredential = Pick<Credential, 'id' | 'companyId' | 'memberId' | 'market' | 'protocol' | 'name' | 'identity'> & {
  hash: Buffer
  createdBy: string
}
/** False when the company has the maximum number of credentials. */
export async function insertCredential(db: Db, made: NewCredential, maxCredentials: number): Promise<boolean> {
  const { id, companyId, memberId, market, protocol, name, identity, hash, createdBy } = made
  return (await db.run(insert, [id, companyId, memberId, market, protocol, name, identity, hash, createdBy, maxCredentials])) === 1
}

const revoke: Statement = {
  name: 'punchout.revoke-credential',
  text: `with revoked as (
      update punchout.credential set revoked_at = $3 where id = $1 and company_id = $2 and revoked_at is null returning id)
    select r.id, coalesce(array_agg(v.session_id) filter (where v.session_id is not null), '{}') as sessions
    from revoked r left join punchout.visit v on v.credential_id = r.id group by r.id`,
}
/** The shop's sessions that the credential has opened; undefined for an unknown credential. */
export async function revokeCredential(db: Db, id: string, companyId: string, now: Date): Promise<string[] | undefined> {
  const [row] = await db.rows<{ sessions: string[] }>(revoke, [id, companyId, now])
  return row?.sessions
}

const byIdentity: Statement = {
  name: 'punchout.credential-by-identity',
  text: `select ${columns}, secret_hash as "secretHash" from punchout.credential
    where identity = $1 and protocol = $2 and market = $3 and revoked_at is null`,
}
export function findCredential(
  db: Db,
  identity: string,
  protocol: string,
  market: Market,
): Promise<(Credential & { secretHash: Buffer }) | undefined> {
  return db.row(byIdentity, [identity, protocol, market])
}

const used: Statement = { name: 'punchout.credential-used', text: 'update punchout.credential set last_used_at = $2 where id = $1' }
export async function noteUse(db: Db, id: string, now: Date): Promise<void> {
  await db.run(used, [id, now])
}

export interface Visit {
  id: string
  hookUrl: string
  echoed: Record<string, string>
  buyer: string
  items: { offerId: string; quantity: number }[]
}
export type StoredVisit = Visit & { credential: Credential }

const open: Statement = {
  name: 'punchout.open-visit',
  text: `insert into punchout.visit (id, credential_id, hook_url, echoed, buyer, items, token_hash, token_expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`,
}
export async function insertVisit(
  db: Db,
  { id, hookUrl, echoed, buyer, items }: Visit,
  link: { credentialId: string; tokenHash: string; expiresAt: Date },
): Promise<void> {
  const json = [JSON.stringify(echoed), buyer, JSON.stringify(items)]
  await db.run(open, [id, link.credentialId, hookUrl, ...json, link.tokenHash, link.expiresAt])
}

const visit = `select v.id, v.hook_url as "hookUrl", v.echoed, v.buyer, v.items,
    jsonb_build_object('id', c.id, 'companyId', c.company_id, 'memberId', c.member_id, 'market', c.market, 'protocol', c.protocol,
      'name', c.name, 'identity', c.identity) as credential
  from punchout.visit v join punchout.credential c on c.id = v.credential_id and c.revoked_at is null`
const byToken: Statement = {
  name: 'punchout.visit-by-token',
  text: `${visit} where v.token_hash = $1 and v.session_id is null and v.token_expires_at > $2`,
}
const byTokenLocked: Statement = { name: 'punchout.visit-by-token-locked', text: `${byToken.text} for update of v` }

/** The visit of a start link that nobody has used yet. */
export function findOpenVisit(db: Db, hash: string, now: Date): Promise<StoredVisit | undefined> {
  return db.row<StoredVisit>(byToken, [hash, now])
}

export function lockOpenVisit(db: Db, hash: string, now: Date): Promise<StoredVisit | undefined> {
  return db.row<StoredVisit>(byTokenLocked, [hash, now])
}

const enter: Statement = {
  name: 'punchout.enter-visit',
  text: 'update punchout.visit set session_id = $2 where id = $1 and session_id is null',
}
export async function enterVisit(db: Db, id: string, sessionId: string): Promise<boolean> {
  return (await db.run(enter, [id, sessionId])) === 1
}

const ofSession: Statement = { name: 'punchout.visit-of-session', text: `${visit} where v.session_id = $1` }
export function findVisitOfSession(db: Db, sessionId: string): Promise<StoredVisit | undefined> {
  return db.row<StoredVisit>(ofSession, [sessionId])
}

const revokeAll: Statement = {
  name: 'punchout.revoke-credentials-of',
  text: `update punchout.credential set revoked_at = coalesce(revoked_at, $3), name = 'erased'
    where member_id = $1 or company_id = any($2::uuid[]) returning id`,
}
const removeVisits: Statement = {
  name: 'punchout.delete-visits-of',
  text: 'delete from punchout.visit where credential_id = any($1::uuid[]) or lower(buyer) = any($2::text[]) returning session_id as id',
}
/** Revokes a member's credentials and those of companies. Returns their ids. */
export async function revokeCredentialsOf(db: Db, memberId: string, companyIds: readonly string[], now: Date): Promise<string[]> {
  return (await db.rows<{ id: string }>(revokeAll, [memberId, companyIds, now])).map(({ id }) => id)
}

/** Deletes the visits of credentials, and of buyers. Returns the sessions that they opened. */
export async function deleteVisits(db: Db, credentialIds: readonly string[], buyers: readonly string[]): Promise<string[]> {
  const visits = await db.rows<{ id: string | null }>(removeVisits, [credentialIds, buyers.map((buyer) => buyer.toLowerCase())])
  return visits.flatMap(({ id }) => id ?? [])
}

const forget: Statement = {
  name: 'punchout.forget-visits',
  text: 'delete from punchout.visit where id in (select id from punchout.visit where opened_at < $1 limit 1000)',
}
export async function forgetVisits(db: Db, before: Date): Promise<void> {
  await db.run(forget, [before])
}
