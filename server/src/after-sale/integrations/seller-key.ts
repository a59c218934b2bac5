import { createHash, randomBytes } from 'node:crypto'
import type { KeyScope } from './key-scopes.ts'

/** A key as its owner sees it: never the key itself. */
export interface SellerKey {
  id: string
  sellerId: number
  name: string
  prefix: string
  scopes: KeyScope[]
  createdAt: Date
  expiresAt: Date
  lastUsedAt: Date | null
  revokedAt: Date | null
}

/** Of a seller, or of the public API. */
type KeyKind = 'pks' | 'pka'

/** 256 random bits behind a prefix that scanners for leaked secrets can recognise. */
export function newKey(kind: KeyKind = 'pks'): { key: string; prefix: string; hash: Buffer } {
  const key = `${kind}_${randomBytes(32).toString('base64url')}`
  return { key, prefix: key.slice(0, 10), hash: hashOf(key) }
}

/** The hash under which the key of an Authorization header is stored; null for anything that is not a key. */
export function presentedHash(authorization: string | undefined): Buffer | null {
  return hashOfKey('pks', authorization?.startsWith('Bearer ') ? authorization.slice(7) : '')
}

/** The hash under which a key of this kind is stored; null for anything that is not one. */
export function hashOfKey(kind: KeyKind, text: string): Buffer | null {
  return isShapedAs(kind, text) ? hashOf(text) : null
}

/** Whether a text may be a key of this kind, before anything is looked up. */
export function isShapedAs(kind: KeyKind, text: string): boolean {
  return /^pk[sa]_[A-Za-z0-9_-]{43}$/.test(text) && text.startsWith(kind)
}

// A random key needs no slow hash: there is nothing to guess.
function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
