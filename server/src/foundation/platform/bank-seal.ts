import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import type { Db, Statement } from './scope.ts'
import { settings } from './settings.ts'

/** Which bank accounts: each kind has a key of its own. */
export type SealPurpose = 'purlin seller accounts' | 'purlin refund accounts' | 'purlin mandates'

const idBytes = 12

/** The current key, and the one from before RETENTION_KEY was set, for accounts that have not been sealed again yet. */
function keysFor(purpose: SealPurpose): [today: Buffer, ...older: Buffer[]] {
  const from = (secret: string) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
  const { retentionKey, mail } = settings()
  return retentionKey === undefined ? [from(mail.linkSecret)] : [from(retentionKey), from(mail.linkSecret)]
}

/** Begins everything that is sealed with today's key, without giving the key away. */
function sealMark(purpose: SealPurpose): Buffer {
  return createHash('sha256').update('id').update(keysFor(purpose)[0]).digest().subarray(0, idBytes)
}

/** AES-256-GCM with the id of the row as associated data, so that an account cannot be moved to another row. */
export function sealBankAccount(purpose: SealPurpose, id: string, account: object): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keysFor(purpose)[0], nonce).setAAD(Buffer.from(id))
  const text = Buffer.concat([cipher.update(JSON.stringify(account), 'utf8'), cipher.final()])
  return Buffer.concat([sealMark(purpose), nonce, cipher.getAuthTag(), text])
}

/** @throws when the text was tampered with, belongs to another row, or was sealed with a key that is not known any more */
export function openBankAccount(purpose: SealPurpose, id: string, sealed: Buffer): unknown {
  let problem: unknown
  // Earlier releases wrote no mark.
  for (const body of [sealed.subarray(idBytes), sealed])
    for (const key of keysFor(purpose)) {
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, body.subarray(0, 12)).setAAD(Buffer.from(id))
        decipher.setAuthTag(body.subarray(12, 28))
        return JSON.parse(Buffer.concat([decipher.update(body.subarray(28)), decipher.final()]).toString('utf8'))
      } catch (error) {
        problem = error
      }
    }
  throw problem
}

/** Statements of a module that stores sealed accounts: reads `id` and `sealed` of those with another mark than $1, and replaces one. */
export interface SealedAccounts {
  otherwise: Statement
  replace: Statement
}

/** Seals accounts again with the current key, so that the previous key may be changed. */
export async function sealAccountsAnew(db: Db, purpose: SealPurpose, { otherwise, replace }: SealedAccounts): Promise<void> {
  for (const { id, sealed } of await db.rows<{ id: string; sealed: Buffer }>(otherwise, [sealMark(purpose)]))
    await db.run(replace, [id, sealBankAccount(purpose, id, openBankAccount(purpose, id, sealed) as object)])
}
