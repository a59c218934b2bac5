import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Db } from '@purlin/server/foundation/platform/index.ts'
import type { Account } from './accounts.ts'

/** Second-factor secrets are encrypted in the database with a key from the settings: a copy of the database makes no codes. */

type Owner = Pick<Account, 'realm' | 'id'>

/** Names the format; a secret in Base32 has no dot. */
const version = 'v1'
const algorithm = 'aes-256-gcm'
const ivLength = 12
const tagLength = 16

/** The encryption key of a setting. */
export function factorKeyOf(setting: string): Buffer {
  return Buffer.from(hkdfSync('sha256', setting, '', 'purlin second factor', 32))
}

// A sealed secret is worthless in another account's row.
const bound = ({ realm, id }: Owner) => Buffer.from(`${realm}\n${id}`)

export function sealSecret(key: Buffer, owner: Owner, secret: string): string {
  const iv = randomBytes(ivLength)
  const cipher = createCipheriv(algorithm, key, iv).setAAD(bound(owner))
  const sealed = Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${version}.${sealed.toString('base64url')}`
}

/** @throws if it was sealed with another key, or for another account */
export function openSecret(key: Buffer, owner: Owner, stored: string): string {
  if (!isSealed(stored)) return stored
  const sealed = Buffer.from(stored.slice(version.length + 1), 'base64url')
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, ivLength), { authTagLength: tagLength })
  decipher.setAAD(bound(owner)).setAuthTag(sealed.subarray(-tagLength))
  return decipher.update(sealed.subarray(ivLength, -tagLength), undefined, 'utf8') + decipher.final('utf8')
}

function isSealed(stored: string): boolean {
  return stored.startsWith(`${version}.`)
}

const plain = {
  name: 'identity.totp-plain',
  text: `select realm, account_id as id, secret from identity.totp where secret not like '${version}.%' limit 500`,
}
const replace = {
  name: 'identity.totp-seal',
  text: 'update identity.totp set secret = $4 where realm = $1 and account_id = $2 and secret = $3',
}

/** Seals the secrets stored before there was a key; several processes may do so at once. */
export async function sealStoredSecrets(db: Db, key: Buffer): Promise<void> {
  for (;;) {
    const rows = await db.rows<Owner & { secret: string }>(plain)
    for (const { secret, ...owner } of rows) await db.run(replace, [owner.realm, owner.id, secret, sealSecret(key, owner, secret)])
    if (rows.length === 0) return
  }
}
