import type { Realm } from '@purlin/contract/identity.ts'
import type { SiteHosts } from '@purlin/contract/site-settings.ts'
import type { Log, Pool } from '@purlin/server/foundation/platform/index.ts'
import type { BreachedPasswords } from './breached.ts'
import type { Pages } from './build.ts'

/** Shared dependencies of the provider's parts. */
export interface IdentityContext {
  pool: Pool
  log: Log
  /** Base address as browsers know it, without a slash at the end. */
  url: string
  /** The shop's hosts: where a browser may be sent back to, and what market somebody comes from. */
  hosts: SiteHosts
  clientSecret: string
  /** Signs cookies and forms. */
  cookieSecret: string
  pages: Pages
  breached: BreachedPasswords
  /** Proxies whose X-Forwarded-For counts, as TRUST_PROXY lists them. */
  trustProxy: string | undefined
  /** Runs after the answer has gone out, so that its time says nothing about what is done. */
  later(work: () => Promise<void>): void
}

export const sessionDays = 60

/** The provider's own pages, as a client of itself. */
export const accountClientId = 'purlin-account'

/** Cookies are of the whole host where browsers allow it to be said: on https, and on localhost. */
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
