import type { SiteSettings } from '@purlin/contract/site-settings.ts'
import { type Incoming, one } from './request-scope.ts'
import { cookieValue, hostCookieName, sessionCookieName } from '#platform'

/**
 * May this request use its session cookie to change something? Browsers set both headers and pages cannot; a request
 * with neither, or with a cookie from elsewhere, may not (reliability rule 9, A34). Without our cookie there is nothing to steal.
 */
export function isOwnOrigin({ headers }: Incoming, site: SiteSettings): boolean {
  const cookies = one(headers.cookie)
  const names = [sessionCookieName(site), hostCookieName(site, 'purlin-staff')]
  if (!names.some((name) => cookieValue(cookies, name))) return one(headers['sec-fetch-site']) !== 'cross-site'
  const fetchSite = one(headers['sec-fetch-site'])
  const origin = one(headers.origin)
  if (fetchSite !== undefined && fetchSite !== 'same-origin') return false
  if (origin !== undefined) return origin === site.origin || isSameHost(origin, one(headers.host), site)
  return fetchSite === 'same-origin'
}

/** The settings name a site by one port; behind a proxy the browser may use another, and https for http, never the reverse. */
function isSameHost(origin: string, host: string | undefined, site: SiteSettings): boolean {
  return host !== undefined && (origin === `https://${host}` || (origin === `http://${host}` && site.origin.startsWith('http:')))
}
