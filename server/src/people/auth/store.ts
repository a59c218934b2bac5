import type { AuthProvider } from '@purlin/contract/identity.ts'
import type { Db } from '#platform'

const insert = {
  name: 'auth.insert-token',
  text: 'insert into auth.token (sign_in_id, provider, refresh_token, id_token, sid) values ($1, $2, $3, $4, $5)',
}
/** Longer than three provider calls may take: discovery, token and keys. */
const leaseMs = 65_000
// One of all concurrent callers gets the row, across processes; if it dies, the lease expires.
const lease = {
  name: 'auth.lease-token',
  text: `update auth.token set leased_until = now() + interval '${leaseMs} milliseconds'
    where sign_in_id = $1 and generation = $2 and refresh_token is not null and (leased_until is null or leased_until < now())
    returning refresh_token as "refreshToken"`,
}
const look = {
  name: 'auth.look-at-token',
  text: `select provider, generation, refresh_token is null as "isMissing" from auth.token where sign_in_id = $1`,
}
const idToken = { name: 'auth.id-token', text: 'select id_token as "idToken" from auth.token where sign_in_id = $1' }
const replace = {
  name: 'auth.replace-token',
  text: `update auth.token set refresh_token = $3, id_token = coalesce($4, id_token), generation = generation + 1, leased_until = null,
      expires_at = now() + interval '60 days'
    where sign_in_id = $1 and generation = $2`,
}
const giveBack = {
  name: 'auth.give-back-lease',
  text: 'update auth.token set leased_until = null where sign_in_id = $1 and generation = $2',
}
const take = {
  name: 'auth.take-token',
  text: 'delete from auth.token where sign_in_id = $1 returning provider, refresh_token as "refreshToken", id_token as "idToken"',
}
const takeAll = {
  name: 'auth.take-tokens',
  text: `delete from auth.token where sign_in_id = any($1::uuid[])
    returning sign_in_id as "signInId", provider, refresh_token as "refreshToken", id_token as "idToken"`,
}
const forget = {
  name: 'auth.forget-tokens',
  text: 'delete from auth.token where sign_in_id in (select sign_in_id from auth.token where expires_at < now() limit 2000)',
}

/** Tokens of a sign-in, sealed. */
export interface SealedTokens {
  provider: AuthProvider
  refreshToken: string | null
  idToken: string | null
}

/** `sid`: the provider's session, as its ID token names it. */
export async function insertToken(
  db: Db,
  signInId: string,
  { provider, refreshToken, idToken }: SealedTokens,
  sid: string | null,
): Promise<void> {
  await db.run(insert, [signInId, provider, refreshToken, idToken, sid])
}

const bySid = { name: 'auth.sign-ins-by-sid', text: 'select sign_in_id as id from auth.token where sid = $1 and provider = $2' }
/** The sign-ins in one session of the provider. */
export async function signInsBySid(db: Db, provider: AuthProvider, sid: string): Promise<string[]> {
  return (await db.rows<{ id: string }>(bySid, [sid, provider])).map(({ id }) => id)
}

const receive = {
  name: 'auth.receive-logout-token',
  text: 'insert into auth.logout_token (issuer, jti) values ($1, $2) on conflict do nothing',
}
/** False for a logout token that has been received before. */
export async function receiveLogoutToken(db: Db, issuer: string, jti: string): Promise<boolean> {
  return (await db.run(receive, [issuer, jti])) === 1
}

const forgetLogout = {
  name: 'auth.forget-logout-tokens',
  text: "delete from auth.logout_token where received_at < now() - interval '1 hour'",
}
export async function forgetLogoutTokens(db: Db): Promise<void> {
  await db.run(forgetLogout)
}

export function peekToken(
  db: Db,
  signInId: string,
): Promise<{ provider: AuthProvider; generation: number; isMissing: boolean } | undefined> {
  return db.row(look, [signInId])
}

/** The sealed ID token of a sign-in. */
export async function readIdToken(db: Db, signInId: string): Promise<string | null> {
  return (await db.row<{ idToken: string | null }>(idToken, [signInId]))?.idToken ?? null
}

/** The refresh token, for one of all concurrent callers; undefined for the others, or when its generation has changed. */
export async function leaseToken(db: Db, signInId: string, generation: number): Promise<string | undefined> {
  return (await db.row<{ refreshToken: string }>(lease, [signInId, generation]))?.refreshToken
}

export async function replaceToken(
  db: Db,
  signInId: string,
  generation: number,
  { refreshToken, idToken }: Pick<SealedTokens, 'refreshToken' | 'idToken'>,
): Promise<void> {
  await db.run(replace, [signInId, generation, refreshToken, idToken])
}

export async function releaseRefreshLease(db: Db, signInId: string, generation: number): Promise<void> {
  await db.run(giveBack, [signInId, generation])
}

/** Removes and returns the tokens of an ended sign-in. */
export function takeToken(db: Db, signInId: string): Promise<SealedTokens | undefined> {
  return db.row(take, [signInId])
}

export function takeTokens(db: Db, signInIds: readonly string[]): Promise<(SealedTokens & { signInId: string })[]> {
  return signInIds.length === 0 ? Promise.resolve([]) : db.rows(takeAll, [signInIds])
}

const old = {
  name: 'auth.old-sign-ins',
  text: `select sign_in_id as id from auth.token where created_at < now() - interval '1 day' order by random() limit 500`,
}
/** Some sign-ins of more than a day ago: their sessions may have ended by expiry, which nothing reports. */
export async function readOldSignIns(db: Db): Promise<string[]> {
  return (await db.rows<{ id: string }>(old)).map(({ id }) => id)
}

export async function forgetTokens(db: Db): Promise<void> {
  await db.run(forget)
}

const mint = {
  name: 'auth.mint-exchange-token',
  text: 'insert into auth.exchange_token (id, session_id, target_host, challenge) values ($1, $2, $3, $4)',
}
const redeem = {
  name: 'auth.redeem-exchange-token',
  text: `update auth.exchange_token set used_at = now()
    where id = $1 and target_host = $2 and challenge is not distinct from $3 and used_at is null and expires_at > now()
    returning session_id as "sessionId"`,
}
const forgetExchange = {
  name: 'auth.forget-exchange-tokens',
  text: `delete from auth.exchange_token where expires_at < now() - interval '1 hour'`,
}

export interface ExchangeToken {
  id: string
  sessionId: string
  targetHost: string
  challenge: string | null
}

export async function insertExchangeToken(db: Db, { id, sessionId, targetHost, challenge }: ExchangeToken): Promise<void> {
  await db.run(mint, [id, sessionId, targetHost, challenge])
}

/** The session a token was issued for; only at its first use, on the host it was issued for. */
export async function redeemExchangeToken(db: Db, token: Omit<ExchangeToken, 'sessionId'>): Promise<string | undefined> {
  return (await db.row<{ sessionId: string }>(redeem, [token.id, token.targetHost, token.challenge]))?.sessionId
}

export async function forgetExchangeTokens(db: Db): Promise<void> {
  await db.run(forgetExchange)
}
