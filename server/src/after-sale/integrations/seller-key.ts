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

const pattern = /^pks_[A-Za-z0-9_-]{43}$/

/** 256 random bits behind a prefix that scanners for leaked secrets can recognise. */
export function newKey(): { key: string; prefix: string; hash: Buffer } {
  const key = `pks_${randomBytes(32).toString('base64url')}`
  return { key, prefix: key.slice(0, 10), hash: hashOf(key) }
}

/** The hash under which the key of an Authorization header is stored; null for anything that is not a key. */
export function presentedHash(authorization: string | undefined): Buffer | null {
  const key = authorization?.startsWith('Bearer ') ? authorization.slice(7) : ''
  return pattern.test(key) ? hashOf(key) : null
}

// A random key needs no slow hash: there is nothing to guess.
function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
