import type { Realm } from '@purlin/contract/identity.ts'
import type { SiteHosts } from '@purlin/contract/site-settings.ts'
import type { Log, Pool } from '@purlin/server/foundation/platform/index.ts'
import type { BreachedPasswords } from './breached.ts'
import type { Pages } from './build.ts'
import type { StartCounts } from './start-counts.ts'

/** Shared dependencies of the provider's parts. */
export interface IdentityContext {
  pool: Pool
  log: Log
  /** Base address for browsers, without a trailing slash. */
  url: string
  /** The shop's hosts: where browsers may be redirected, and the market visitors come from. */
  hosts: SiteHosts
  clientSecret: string
  /** Signs cookies and forms. */
  cookieSecret: string
  /** Encrypts second-factor secrets in the database. */
  factorKey: Buffer
  pages: Pages
  breached: BreachedPasswords
  /** Trusted proxies, as listed in TRUST_PROXY. */
  trustProxy: string | undefined
  starts: StartCounts
  /** Runs after the response has been sent, so that the response time reveals nothing. */
  later(work: () => Promise<void>): void
}

export const sessionDays = 60

/** The provider's own pages, as one of its clients. */
export const accountClientId = 'purlin-account'

/** Cookies use the `__Host-` prefix where browsers allow it: on https, and on localhost. */
export function isSecure(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
}

/** The name of a cookie that only this host can set. */
export function hostCookie(url: string, name: string): string {
  return `${isSecure(url) ? '__Host-' : ''}purlin-id-${name}`
}

export function sessionCookie(url: string, realm: Realm): string {
  return hostCookie(url, realm)
}
