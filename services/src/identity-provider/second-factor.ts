import { createHash, randomBytes } from 'node:crypto'
import type { Db } from '@purlin/server/foundation/platform/index.ts'
import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'
import type { Account } from './accounts.ts'
import { openSecret, sealSecret } from './sealed-secret.ts'

type Owner = Pick<Account, 'realm' | 'id'>

const exists = {
  name: 'identity.totp-exists',
  text: 'select exists (select 1 from identity.totp where realm = $1 and account_id = $2) as "has"',
}
const find = { name: 'identity.totp-find', text: 'select secret from identity.totp where realm = $1 and account_id = $2' }
const since = { name: 'identity.totp-since', text: 'select created_at as "at" from identity.totp where realm = $1 and account_id = $2' }
const insert = {
  name: 'identity.totp-insert',
  text: `insert into identity.totp (realm, account_id, secret, last_step) values ($1, $2, $3, $4)
    on conflict (realm, account_id) do update set secret = excluded.secret, last_step = excluded.last_step, created_at = now()`,
}
const useStep = {
  name: 'identity.totp-step',
  text: 'update identity.totp set last_step = $3 where realm = $1 and account_id = $2 and last_step < $3',
}
const removeTotp = { name: 'identity.totp-remove', text: 'delete from identity.totp where realm = $1 and account_id = $2' }
const removeCodes = { name: 'identity.recovery-remove', text: 'delete from identity.recovery_code where realm = $1 and account_id = $2' }
const insertCodes = {
  name: 'identity.recovery-insert',
  text: 'insert into identity.recovery_code (realm, account_id, hash) select $1, $2::uuid, unnest($3::text[])',
}
const useCode = {
  name: 'identity.recovery-use',
  text: 'update identity.recovery_code set used_at = now() where realm = $1 and account_id = $2 and hash = $3 and used_at is null',
}

const period = 30
const recoveryCodes = 10

export async function hasSecondFactor(db: Db, { realm, id }: Owner): Promise<boolean> {
  return (await db.row<{ has: boolean }>(exists, [realm, id]))?.has ?? false
}

/** When the authenticator app was added; null without one. */
export async function turnedOnAt(db: Db, { realm, id }: Owner): Promise<Date | null> {
  return (await db.row<{ at: Date }>(since, [realm, id]))?.at ?? null
}

function totpOf(secret: string, email = ''): TOTP {
  return new TOTP({ issuer: 'Purlin', label: email, algorithm: 'SHA1', digits: 6, period, secret: Secret.fromBase32(secret) })
}

export interface Enrollment {
  secret: string
  /** The secret in groups of four, for manual entry. */
  grouped: string
  /** QR code of the otpauth address. */
  svg: string
}

export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

export function enrollmentOf(secret: string, email: string): Enrollment {
  return { secret, grouped: secret.replace(/(.{4})(?=.)/g, '$1 '), svg: renderSVG(totpOf(secret, email).toString()) }
}

/** The time step of a code, now or half a minute to either side; undefined for a wrong one. */
export function stepOf(secret: string, code: string, now = Date.now()): number | undefined {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const delta = totpOf(secret).validate({ token, timestamp: now, window: 1 })
  return delta === null ? undefined : Math.floor(now / 1000 / period) + delta
}

/** The current code, for tests and for demo accounts, whose secrets are public. */
export function codeNow(secret: string): string {
  return totpOf(secret).generate()
}

/** True when the code is correct and has not been used before. */
export async function useTotp(db: Db, key: Buffer, owner: Owner, code: string): Promise<boolean> {
  const secret = await totpSecretOf(db, key, owner)
  const step = secret && stepOf(secret, code)
  if (!step) return false
  return (await db.run(useStep, [owner.realm, owner.id, step])) === 1
}

export async function totpSecretOf(db: Db, key: Buffer, owner: Owner): Promise<string | undefined> {
  const stored = (await db.row<{ secret: string }>(find, [owner.realm, owner.id]))?.secret
  return stored === undefined ? undefined : openSecret(key, owner, stored)
}

export async function turnOnTotp(db: Db, key: Buffer, owner: Owner, { secret, step }: { secret: string; step: number }): Promise<void> {
  await db.run(insert, [owner.realm, owner.id, sealSecret(key, owner, secret), step])
}

export async function turnOffTotp(db: Db, { realm, id }: Owner): Promise<void> {
  await Promise.all([db.run(removeTotp, [realm, id]), db.run(removeCodes, [realm, id])])
}

const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const hashOf = (code: string) =>
  createHash('sha256')
    .update(code.toLowerCase().replace(/[^a-z0-9]/g, ''))
    .digest('base64url')

/** Replaces the recovery codes by ten new ones of 79 bits; only their hashes are stored. */
export async function newRecoveryCodes(db: Db, { realm, id }: Owner): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, () => {
    const signs = Array.from(randomBytes(64))
      .filter((byte) => byte < alphabet.length * 8)
      .slice(0, 16)
    return signs
      .map((byte) => alphabet[byte % alphabet.length])
      .join('')
      .replace(/(.{4})(?=.)/g, '$1-')
  })
  await db.run(removeCodes, [realm, id])
  await db.run(insertCodes, [realm, id, codes.map(hashOf)])
  return codes
}

export async function useRecoveryCode(db: Db, { realm, id }: Owner, code: string): Promise<boolean> {
  return (await db.run(useCode, [realm, id, hashOf(code)])) === 1
}
