import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Market } from '@purlin/contract/markets.ts'

export const protocols = ['oci', 'cxml'] as const
export type Protocol = (typeof protocols)[number]

/** A credential as its company sees it: never the secret. */
export interface Credential {
  id: string
  companyId: string
  memberId: string
  market: Market
  protocol: Protocol
  name: string
  identity: string
  createdAt: Date
  lastUsedAt: Date | null
  revokedAt: Date | null
}

/** Some purchasing systems have narrow fields for user and password. */
export function newSecret(): { identity: string; secret: string; hash: Buffer } {
  const secret = `ppo_${randomBytes(24).toString('base64url')}`
  return { identity: `purlin-${randomBytes(6).toString('hex')}`, secret, hash: secretHash(secret) }
}

// A random secret needs no slow hash: there is nothing to guess.
export function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

export function isSecret(secret: string, hash: Buffer): boolean {
  return timingSafeEqual(secretHash(secret), hash)
}

/** The hash under which a start link's token is stored. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

const maxUrlLength = 2000
const loopback = /^(?:localhost|(?:[a-z0-9-]+\.)+localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * The address that a basket may go to, as the browser will understand it; null for any other. Only https, because prices of the
 * company travel there; http on this machine where the shop itself is served so.
 */
export function hookUrlOf(given: string, { origin, ownOrigins }: { origin: string; ownOrigins: readonly string[] }): string | null {
  if (given.length > maxUrlLength || !URL.canParse(given.trim())) return null
  const url = new URL(given.trim())
  if (url.username !== '' || url.password !== '') return null
  if (ownOrigins.some((own) => isSameHost(url, new URL(own)))) return null
  // In a content security policy these separate directives and sources.
  if (/[;,\s'"]/.test(url.host)) return null
  const isLocal = url.protocol === 'http:' && loopback.test(url.hostname) && origin.startsWith('http:')
  return url.protocol === 'https:' || isLocal ? url.href : null
}

/** Hosts of https have one owner whatever the port; on this machine programs of all kinds share a host. */
function isSameHost(url: URL, own: URL): boolean {
  const nameOf = ({ hostname }: URL) => hostname.replace(/\.$/, '')
  return nameOf(url) === nameOf(own) && (url.protocol === 'https:' || url.port === own.port)
}
