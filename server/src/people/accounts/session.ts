import { createHash, randomBytes } from 'node:crypto'
import type { Mode } from '@purlin/contract/markets.ts'
import type { Principal } from '@purlin/contract/principal.ts'

/** Sites that share their sessions: the consumers' of all markets, the professionals', the offices of the staff. */
export type SessionFamily = Mode | 'staff'

export interface Session {
  /** SHA-256 of the cookie's value. */
  id: string
  /** Whose it is, as the tables of people say now. */
  principal: Principal
  /** Not seen for a day or more: worth moving its end. */
  isStale: boolean
  /** The sign-in to be compared with the identity provider, which has not vouched for it lately; null while it has. */
  overdue: string | null
}

/** Value of a new session's cookie: 256 bits nobody can guess. */
export function newSessionToken(): string {
  return randomBytes(32).toString('base64url')
}

/** The id a session is stored under; null for what cannot be a cookie of ours. */
export function sessionIdOf(token: string): string | null {
  return /^[A-Za-z0-9_-]{43}$/.test(token) ? createHash('sha256').update(token).digest('base64url') : null
}
