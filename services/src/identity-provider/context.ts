import type { Realm } from '@purlin/contract/identity.ts'
import type { SiteHosts } from '@purlin/contract/site-settings.ts'
import type { Log, Pool } from '@purlin/server/foundation/platform/index.ts'

/** What every part of the provider works with. */
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
}

export const sessionDays = 60

/** Cookies are of the whole host where browsers allow it to be said: on https, and on localhost. */
export function isSecure(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
}

export function sessionCookie(url: string, realm: Realm): string {
  return `${isSecure(url) ? '__Host-' : ''}purlin-id-${realm}`
}
