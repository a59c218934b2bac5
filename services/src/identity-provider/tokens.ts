import { createHash, randomBytes } from 'node:crypto'
import type { Realm } from '@purlin/contract/identity.ts'
import type { Db } from '@purlin/server/foundation/platform/index.ts'

export type Purpose = 'register' | 'reset' | 'link' | 'continue' | 'email' | 'agree-email' | 'undo-email' | 'opened'

export interface OneTimeToken<Data> {
  realm: Realm
  purpose: Purpose
  accountId: string | null
  email: string
  data: Data
}

const insert = {
  name: 'identity.token-insert',
  // A newer one replaces earlier ones of its account; links that anybody may request for an address live side by side, and so do the
  // links of a reminder and of the mail before it.
  text: `with older as (update identity.one_time_token set used_at = now() where realm = $2 and purpose = $3 and email = $5
      and account_id is not distinct from $4::uuid and $3 not in ('register', 'reset', 'link', 'agree-email') and used_at is null)
    insert into identity.one_time_token (hash, realm, purpose, account_id, email, data, expires_at)
    values ($1, $2, $3, $4::uuid, $5, $6, now() + make_interval(mins => $7))`,
}
const look = {
  name: 'identity.token-look',
  text: `select realm, purpose, account_id as "accountId", email, data from identity.one_time_token
    where hash = $1 and realm = $2 and used_at is null and expires_at > now()`,
}
const spend = {
  name: 'identity.token-spend',
  text: `update identity.one_time_token set used_at = now() where hash = $1 and realm = $2 and purpose = $3 and used_at is null
    and expires_at > now()`,
}
const spendAll = {
  name: 'identity.tokens-spend-all',
  text: 'update identity.one_time_token set used_at = now() where realm = $1 and email = $2 and used_at is null',
}
const purge = {
  name: 'identity.tokens-purge',
  text: `delete from identity.one_time_token where ctid = any(array(
    select ctid from identity.one_time_token where expires_at < now() - interval '1 day' limit $1 for update skip locked))`,
}

const hashOf = (value: string) => createHash('sha256').update(value).digest('base64url')

/** The value for the link; the database stores its hash. */
export async function issueToken<Data extends object>(
  db: Db,
  { realm, purpose, accountId, email, data }: OneTimeToken<Data>,
  minutes: number,
): Promise<string> {
  const value = randomBytes(32).toString('base64url')
  await db.run(insert, [hashOf(value), realm, purpose, accountId, email, data, minutes])
  return value
}

/** Payload of a token that is still valid. Reading does not consume it, because mail scanners open links. */
export function peekToken<Data>(db: Db, realm: Realm, value: string): Promise<OneTimeToken<Data> | undefined> {
  return db.row<OneTimeToken<Data>>(look, [hashOf(value), realm])
}

/** True for exactly one caller. */
export async function spendToken(db: Db, realm: Realm, purpose: Purpose, value: string): Promise<boolean> {
  return (await db.run(spend, [hashOf(value), realm, purpose])) === 1
}

/** Invalidates all links sent to this address. */
export async function spendTokensOf(db: Db, realm: Realm, email: string): Promise<void> {
  await db.run(spendAll, [realm, email])
}

const ofRegistrations = {
  name: 'identity.tokens-remove-registrations',
  text: `delete from identity.one_time_token where realm = $1 and email = $2 and purpose = 'register'`,
}
/** Registrations of an address that has an account now: what was entered in them is of no more use to anybody. */
export async function removeRegistrations(db: Db, realm: Realm, email: string): Promise<void> {
  await db.run(ofRegistrations, [realm, email])
}

const open = {
  name: 'identity.token-opened',
  text: `update identity.one_time_token set purpose = 'opened', account_id = $3::uuid, email = '', data = data - 'account' - 'password',
      used_at = null, expires_at = now() + interval '2 minutes'
    where realm = $1 and hash = $2`,
}
/** Marks the link of a registration as the one that has just opened this account, without what was entered in the registration. */
export async function markOpened(db: Db, { realm, id }: { realm: Realm; id: string }, value: string): Promise<void> {
  await db.run(open, [realm, hashOf(value), id])
}

const spendPurpose = {
  name: 'identity.tokens-spend-purpose',
  text: `update identity.one_time_token set used_at = now() where realm = $1 and account_id = $2 and purpose = $3 and used_at is null`,
}
/** No link of this kind works any more for the account, whatever address it was sent to. Returns how many were unused. */
export function spendPurposeOf(db: Db, { realm, id }: { realm: Realm; id: string }, purpose: Purpose): Promise<number> {
  return db.run(spendPurpose, [realm, id, purpose])
}

const used = {
  name: 'identity.challenge-used',
  text: `insert into identity.one_time_token (hash, realm, purpose, account_id, email, expires_at, used_at)
    values ($1, $2, 'passkey', $3::uuid, '', now() + make_interval(mins => $4), now()) on conflict (hash) do nothing`,
}
/** Notes that a passkey of this account has signed a challenge. True for exactly one caller. */
export async function useChallenge(db: Db, { realm, id }: { realm: Realm; id: string }, value: string, minutes: number): Promise<boolean> {
  return (await db.run(used, [hashOf(value), realm, id, minutes])) === 1
}

/** Deletes tokens a day after their end, `most` at most, and returns their number. */
export function purgeTokens(db: Db, most: number): Promise<number> {
  return db.run(purge, [most])
}

const spendSince = {
  name: 'identity.tokens-spend-since',
  text: `update identity.one_time_token set used_at = now() where realm = $1 and account_id = $2 and used_at is null
    and created_at >= (select created_at from identity.one_time_token where realm = $1 and hash = $3)`,
}
/** All links of the account that were issued after this one, whatever address they were sent to. Earlier ones keep their claim. */
export async function spendTokensSince(db: Db, { realm, id }: { realm: Realm; id: string }, value: string): Promise<void> {
  await db.run(spendSince, [realm, id, hashOf(value)])
}
