import type { SiteSettings } from '@purlin/contract/site-settings.ts'
import { type Incoming, one } from './request-scope.ts'
import { cookieValue, hostCookieName, sessionCookieName, staffCookie } from '#platform'

/**
 * Whether a request may change something with its session cookie. Browsers set both headers and pages cannot forge them; a
 * request with neither, or with our cookie but from another origin, is refused (reliability rule 9, A34). Without our cookie there is nothing to steal.
 */
export function isOwnOrigin({ headers }: Incoming, site: SiteSettings): boolean {
  const cookies = one(headers.cookie)
  const names = [sessionCookieName(site), hostCookieName(site, staffCookie)]
  if (!names.some((name) => cookieValue(cookies, name))) return one(headers['sec-fetch-site']) !== 'cross-site'
  return isFromOwnPage({ headers }, site)
}

/** The same whatever the cookies: for what signs somebody in, where neighbouring hosts are as foreign as any other. */
export function isFromOwnPage({ headers }: Incoming, site: SiteSettings): boolean {
  const fetchSite = one(headers['sec-fetch-site'])
  const origin = one(headers.origin)
  if (fetchSite !== undefined && fetchSite !== 'same-origin') return false
  if (origin !== undefined) return origin === site.origin || isSameHost(origin, one(headers.host), site)
  return fetchSite === 'same-origin'
}

/** The settings give a site one port; behind a proxy the browser may use another, and https instead of http, but never the reverse. */
function isSameHost(origin: string, host: string | undefined, site: SiteSettings): boolean {
  return host !== undefined && (origin === `https://${host}` || (origin === `http://${host}` && site.origin.startsWith('http:')))
}
