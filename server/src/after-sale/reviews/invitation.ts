import { createHash, createHmac } from 'node:crypto'
import type { Db } from '#platform'

/** The secret part of an invitation's link, derived so that a repeated job makes the same; only its hash is stored. */
export function invitationToken(secret: string, sellerOrderId: string): string {
  if (secret.length < 32) throw new Error('The secret for links in mails must have at least 32 characters')
  return createHmac('sha256', secret).update(`review:${sellerOrderId}`).digest('base64url')
}

/** Null for anything that cannot be a token. */
export function invitationHash(token: unknown): Buffer | null {
  return typeof token === 'string' && /^[A-Za-z0-9_-]{43}$/.test(token) ? createHash('sha256').update(token).digest() : null
}

const emailHash = (email: string) => createHash('sha256').update(email.trim().toLowerCase()).digest()

const insert = {
  name: 'reviews.invite',
  text: `insert into reviews.invitation (seller_order_id, token_hash, email, market, sent_at, expires_at)
    select $1, $2, $3, $4, $5::timestamptz, $6::timestamptz where not exists (select 1 from reviews.opt_out where email_hash = $7) on conflict do nothing`,
}
/** False if the buyer was invited before, or wants no invitations. */
export async function insertInvitation(
  db: Db,
  of: { sellerOrderId: string; tokenHash: Buffer; email: string; market: string; sentAt: Date; expiresAt: Date },
): Promise<boolean> {
  const { sellerOrderId, tokenHash, email, market, sentAt, expiresAt } = of
  return (await db.run(insert, [sellerOrderId, tokenHash, email, market, sentAt, expiresAt, emailHash(email)])) === 1
}

const find = {
  name: 'reviews.invitation-by-token',
  text: 'select seller_order_id as "sellerOrderId" from reviews.invitation where token_hash = $1 and market = $2 and expires_at > $3',
}
/** The seller order that a link is about; null once it has expired, and on other markets. */
export async function orderOfToken(db: Db, token: unknown, market: string, now: Date): Promise<string | null> {
  const hash = invitationHash(token)
  if (!hash) return null
  return (await db.row<{ sellerOrderId: string }>(find, [hash, market, now]))?.sellerOrderId ?? null
}

const optOut = {
  name: 'reviews.opt-out',
  text: `insert into reviews.opt_out (email_hash)
    select sha256(convert_to(lower(trim(email)), 'UTF8')) from reviews.invitation where token_hash = $1 on conflict do nothing`,
}
/** No more invitations to the address that got this token, which may have expired. Unknown tokens change nothing. */
export async function endInvitations(db: Db, token: unknown): Promise<void> {
  const hash = invitationHash(token)
  if (hash) await db.run(optOut, [hash])
}
