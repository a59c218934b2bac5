import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { settings } from '#platform'

/** Buyer details an invoice must contain, retained for the tax authority only. */

function key(): Buffer {
  return Buffer.from(hkdfSync('sha256', settings().mail.linkSecret, '', 'purlin retained orders', 32))
}

/** AES-256-GCM; authenticated with the order's id, so that a sealed text cannot be moved to another order. */
export function seal(orderId: string, value: object): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key(), nonce).setAAD(Buffer.from(orderId))
  const sealed = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** @throws when it was altered, belongs to another order, or was sealed with another key */
export function unseal(orderId: string, sealed: Buffer): unknown {
  const decipher = createDecipheriv('aes-256-gcm', key(), sealed.subarray(0, 12)).setAAD(Buffer.from(orderId))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return JSON.parse(Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8'))
}
