import { createHash, createHmac } from 'node:crypto'

/** The secret part of a parcel's tracking link: 256 bits, derived so that it need not be stored. Only its hash is stored. */
export function parcelToken(secret: string, parcelId: string): string {
  return createHmac('sha256', secret).update(`parcel-link:${parcelId}`).digest('base64url')
}

/** Null for anything that cannot be a token. */
export function parcelTokenHash(token: unknown): Buffer | null {
  return typeof token === 'string' && /^[A-Za-z0-9_-]{43}$/.test(token) ? createHash('sha256').update(token).digest() : null
}
