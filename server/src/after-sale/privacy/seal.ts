import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { settings } from '#platform'

/** Buyer details an invoice must contain, and such invoices, retained for the tax authority only. */

const keyFrom = (secret: string) => Buffer.from(hkdfSync('sha256', secret, '', 'purlin retained orders', 32))

/** The current key, and the one from before RETENTION_KEY was set, for data that has not been sealed again yet. */
function keys(): [today: Buffer, ...older: Buffer[]] {
  const { retentionKey, mail } = settings()
  return retentionKey === undefined ? [keyFrom(mail.linkSecret)] : [keyFrom(retentionKey), keyFrom(mail.linkSecret)]
}

/** Names today's key without giving it away. */
export function sealKeyId(): string {
  return createHash('sha256').update('id').update(keys()[0]).digest('base64url').slice(0, 16)
}

/** AES-256-GCM with the id of the order or invoice as associated data, so a sealed text cannot be moved to another one. */
export function seal(id: string, value: unknown): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keys()[0], nonce).setAAD(Buffer.from(id))
  const sealed = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** @throws when the text was tampered with, belongs to another order or invoice, or was sealed with a key that is not known any more */
export function unseal(id: string, sealed: Buffer): unknown {
  let problem: unknown
  for (const key of keys()) {
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAAD(Buffer.from(id))
      decipher.setAuthTag(sealed.subarray(12, 28))
      return JSON.parse(Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8'))
    } catch (error) {
      problem = error
    }
  }
  throw problem
}
