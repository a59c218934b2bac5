import { hash, randomBytes } from 'node:crypto'
import type { Mode } from '@purlin/contract/markets.ts'
import type { Principal } from '@purlin/contract/principal.ts'
import type { ReadBeside } from '#platform'

/** Groups of sites that share sessions: the consumer storefronts of all markets, the professional ones, the back offices. */
export type SessionFamily = Mode | 'staff'

export interface Session {
  /** SHA-256 of the cookie's value. */
  id: string
  /** The principal, from the current state of the people tables. */
  principal: Principal
  /** Last seen a day or more ago, so that its expiry is worth extending. */
  isStale: boolean
  /** The sign-in to be checked with the identity provider because it has not confirmed it recently; null if it has. */
  overdue: string | null
  /** The rows read in the same statement. */
  besides?: readonly ReadBeside[]
}

/** Value of a new session's cookie: 256 random bits. */
export function newSessionToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The id a session is stored under; null for a value that cannot be a cookie of ours. */
export function sessionIdOf(token: string): string | null {
  return /^[A-Za-z0-9_-]{43}$/.test(token) ? hash('sha256', token, 'base64url') : null
}
