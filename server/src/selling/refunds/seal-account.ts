import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { settings } from '#platform'

/** A buyer's bank account: stored sealed, and only until the money has arrived. */
export interface BankAccount {
  holder: string
  iban: string
}

const key = (): Buffer => Buffer.from(hkdfSync('sha256', settings().mail.linkSecret, '', 'purlin refund accounts', 32))

/** AES-256-GCM with the refund's id as associated data, so that an account cannot be moved to another refund. */
export function sealAccount(refundId: string, account: BankAccount): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key(), nonce).setAAD(Buffer.from(refundId))
  const sealed = Buffer.concat([cipher.update(JSON.stringify(account), 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** @throws when the text was tampered with or belongs to another refund */
export function openAccount(refundId: string, sealed: Buffer): BankAccount {
  const decipher = createDecipheriv('aes-256-gcm', key(), sealed.subarray(0, 12)).setAAD(Buffer.from(refundId))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return JSON.parse(Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')) as BankAccount
}
