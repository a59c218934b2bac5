import { marketCodes, markets, type Market, type Mode } from '@purlin/contract/markets.ts'
import type { Principal } from '@purlin/contract/principal.ts'
import { prefersVat, type SiteHosts, type SiteSettings } from '@purlin/contract/site-settings.ts'
import { createPageWords } from '@purlin/web/words.ts'
import { serverIntl } from '@purlin/words/date-format.ts'
import { catalogues } from '@purlin/words/catalogues.ts'
import type { ContextRequest } from '@purlin/web/pages-options.ts'
import type { ShopContext } from '../shell/context.ts'
import { formatsFor } from '../shell/formats.ts'
import { createGatewayClient } from './gateway-client.ts'
import type { StorefrontOptions, StorefrontSite } from './options.ts'

const stranger: Principal = { kind: 'guest', id: null, email: null }

/** Creates the context of every page: site data, messages and formats, the gateway, and the principal where it may be known. */
export function createContext({
  gateway,
  hosts,
  sessions,
  log,
  settings,
}: StorefrontOptions): (request: ContextRequest<StorefrontSite>) => ShopContext {
  const words = new Map<Market, ShopContext['t']>(marketCodes.map((market) => [market, wordsOf(market)]))

  return ({ site: { settings: site }, base, cookies, cookieHeader, headers, remoteAddress, setCookies, variations }) => {
    let principal: Promise<Principal> | undefined
    const url = (other: SiteSettings, pathname: string) => localOrigin(site, other) + pathname
    return {
      ...base,
      market: site.market,
      mode: site.mode,
      language: site.language,
      locale: site.locale,
      currency: site.currency,
      country: site.country,
      timeZone: site.timeZone,
      prefersVat: prefersVat(site, cookieHeader),
      variations,
      t: words.get(site.market) ?? wordsOf(site.market),
      catalogue: catalogues[site.language],
      formats: formatsFor(site),
      client: createGatewayClient({
        execute: gateway.execute,
        takeUpload: gateway.takeUpload,
        headers: callHeaders(site, base.requestId, cookieHeader, headers),
        remoteAddress,
        setCookies,
        log,
        requestId: base.requestId,
      }),
      principal: () => (principal ??= base.shared || cookieHeader === '' ? Promise.resolve(stranger) : sessions.load(cookieHeader, site)),
      cookies,
      cookieHeader,
      hasPrivacySignal: headers['sec-gpc'] === '1',
      setCookie: (line) => void setCookies.push(line),
      alternates: (pathname = base.pathname) =>
        served(hosts, site.mode).map((market) => {
          const other = hosts.site(market, site.mode)
          return { market, locale: other.locale, url: url(other, pathname) }
        }),
      otherModeUrl: (pathname = '/') => {
        const other = otherStorefront(hosts, site)
        return other === undefined ? null : other + pathname
      },
      settings: { paymentOrigin: settings?.paymentOrigin ?? null },
    }
  }
}

function wordsOf(market: Market): ShopContext['t'] {
  const { language, locale, timeZone } = markets[market]
  return createPageWords(locale, catalogues[language], timeZone, serverIntl(locale))
}

/** Origin of the market's storefront for the other customers, if it has one. */
export function otherStorefront(hosts: SiteHosts, site: SiteSettings): string | undefined {
  const mode = site.mode === 'b2b' ? 'b2c' : 'b2b'
  return hosts.serves(site.market, mode) ? hosts.site(site.market, mode).origin : undefined
}

/** Markets that have a site in this mode, plus the visitor's own. */
function served(hosts: SiteHosts, mode: Mode): Market[] {
  return marketCodes.filter((market) => hosts.serves(market, mode))
}

/** Headers of a call, as named in spec §7. Values claimed by the visitor's own headers are not among them. */
function callHeaders(
  site: SiteSettings,
  requestId: string,
  cookie: string,
  headers: ContextRequest<unknown>['headers'],
): Record<string, string> {
  return {
    host: site.host,
    ...(cookie && { cookie }),
    ...(headers['sec-gpc'] === '1' && { 'sec-gpc': '1' }),
    ...(headers['user-agent'] && { 'user-agent': headers['user-agent'] }),
    'x-request-id': requestId,
    'client-name': 'storefront',
    market: site.market,
    channel: 'web',
    platform: site.mode,
  }
}

/** The other site's origin, or this one's if it is the same site under another host (bare localhost). */
function localOrigin(site: SiteSettings, other: SiteSettings): string {
  return other.market === site.market && other.mode === site.mode ? site.origin : other.origin
}
