import { createHash, createHmac } from 'node:crypto'
import type { Db } from '#platform'
import type { CustomerOrder } from './order.ts'
import { readOrderForLink } from './store.ts'

/**
 * The secret part of a mail link to an order: 256 bits, derived so that it need not be stored. Only its hash is stored.
 * Source: A11.
 */
export function orderToken(secret: string, customerOrderId: string): string {
  if (secret.length < 32) throw new Error('The secret for order links must have at least 32 characters')
  return createHmac('sha256', secret).update(`order-link:${customerOrderId}`).digest('base64url')
}

/** Null for anything that cannot be a token: empty and absent ones never reach the table (CVE-2020-26223). */
export function tokenHash(token: unknown): Buffer | null {
  return typeof token === 'string' && /^[A-Za-z0-9_-]{43}$/.test(token) ? createHash('sha256').update(token).digest() : null
}

/** Makes an order's link valid from now on and reads the order; idempotent. */
export async function allowByToken(
  db: Db,
  secret: string,
  customerOrderId: string,
): Promise<{ token: string; order: CustomerOrder | undefined }> {
  const token = orderToken(secret, customerOrderId)
  return { token, order: await readOrderForLink(db, customerOrderId, tokenHash(token) as Buffer) }
}
