import { isMarket, isMode, marketCodes, markets, modes, type MarketFacts, type Market, type Mode } from './markets.ts'

/** Settings determined by the host. Source: spec §6 (market and business type come from site settings), R-032, R-598. */
export interface SiteSettings extends MarketFacts {
  mode: Mode
  /** The site's own host, with its port if there is one. */
  host: string
  /** Scheme and host; used for links, mails and canonical addresses, never replaced by values from a request. */
  origin: string
}

export interface SiteHosts {
  /** The site of a Host header; null for an unknown host. */
  siteOf(host: string | undefined): SiteSettings | null
  /** The site of a market and mode; its first host is used in links. */
  site(market: Market, mode: Mode): SiteSettings
  /** Every site that is served. */
  sites: readonly SiteSettings[]
  /** Whether a host belongs to this site. */
  serves(market: Market, mode: Mode): boolean
  /** All served hosts; a market and mode may have several. */
  all: readonly SiteSettings[]
}

/** Message for an unknown host, verbatim. Source: spec §8. */
export const appSettingsNotFound = 'App settings not found.'

export interface LocalHostsOptions {
  port: number
  scheme?: 'http' | 'https'
  /** Real domains: `www.purlin.co.uk=gb/b2c,pro.purlin.co.uk=gb/b2b`. Links then use them, and https is assumed. */
  realHosts?: string
  /** Serve only the named domains: a proxy that forwards any Host header must not expose local names. */
  onlyNamed?: boolean
}

/**
 * The hosts of a running shop: `gb.localhost`, `pro.gb.localhost` and so on, bare `localhost` for gb b2c,
 * and the configured real domains. A shop that serves only those still knows the local sites of the other markets, but
 * neither serves nor links to them.
 */
export function createSiteHosts({ port, scheme = 'http', realHosts = '', onlyNamed = false }: LocalHostsOptions): SiteHosts {
  const byHost = new Map<string, SiteSettings>()
  const home = new Map<string, SiteSettings>()
  const add = (host: string, market: Market, mode: Mode, origin: string, isHome: boolean, isServed = !onlyNamed) => {
    const site: SiteSettings = { ...markets[market], mode, host, origin }
    if (isServed) byHost.set(host, site)
    if (isHome || !home.has(`${market}/${mode}`)) home.set(`${market}/${mode}`, site)
  }
  const suffix = port === (scheme === 'https' ? 443 : 80) ? '' : `:${port}`
  for (const market of marketCodes) {
    for (const mode of modes) {
      const host = `${mode === 'b2b' ? 'pro.' : ''}${market}.localhost`
      add(host, market, mode, `${scheme}://${host}${suffix}`, false)
    }
  }
  for (const host of ['localhost', '127.0.0.1', '[::1]']) add(host, 'gb', 'b2c', `${scheme}://${host}${suffix}`, false)
  const real = new Set<string>()
  for (const { host, market, mode } of parseRealHosts(realHosts)) {
    add(host, market, mode, `https://${host}`, !real.has(`${market}/${mode}`), true)
    real.add(`${market}/${mode}`)
  }
  const homeOf = (market: Market, mode: Mode): SiteSettings => {
    const site = home.get(`${market}/${mode}`)
    if (!site) throw new Error(`There is no storefront ${market}/${mode}`)
    return site
  }
  const served = [...home.values()].filter(({ host }) => byHost.has(host))
  return {
    siteOf: (host) => (host ? (byHost.get(hostName(host)) ?? null) : null),
    site: homeOf,
    sites: served,
    serves: (market, mode) => served.some((site) => site.market === market && site.mode === mode),
    all: [...byHost.values()],
  }
}

/** A Host header without its port, in lower case; a trailing dot is ignored. */
function hostName(header: string): string {
  const host = header.toLowerCase()
  const end = host.startsWith('[') ? host.indexOf(']') + 1 : host.indexOf(':')
  const name = end > 0 ? host.slice(0, end) : host
  return name.endsWith('.') ? name.slice(0, -1) : name
}

/** Parses `host=market/mode,…`; throws with the invalid part. */
export function parseRealHosts(text: string): { host: string; market: Market; mode: Mode }[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      const [host = '', site = ''] = part.split('=')
      const [market, mode = 'b2c'] = site.split('/')
      if (!/^[a-z0-9.-]+$/i.test(host) || !isMarket(market) || !isMode(mode)) {
        throw new Error(`Invalid host setting: "${part}". The format is host=market/mode, for example www.purlin.fr=fr/b2c`)
      }
      return { host: host.toLowerCase(), market, mode }
    })
}

/** Cookie value of a professional who wants prices with VAT: `with`. Display only, never a permission (decision 5). */
export const vatDisplayCookie = 'mm_vat_display'

/** The cookie of a choice, as a Set-Cookie line. The choice of a signed-in person is stored as well. */
export function vatDisplayLine({ origin }: Pick<SiteSettings, 'origin'>, withVat: boolean): string {
  const secure = origin.startsWith('https:') ? '; Secure' : ''
  return `${vatDisplayCookie}=${withVat ? 'with' : 'without'}; Path=/; SameSite=Lax; Max-Age=31536000; HttpOnly${secure}`
}

/** Whether this visitor has chosen prices with VAT. Only b2b sites outside gb offer the choice. */
export function prefersVat(site: Pick<SiteSettings, 'mode' | 'b2bPricesIncludeVat'>, cookieHeader: string | undefined): boolean {
  if (site.mode !== 'b2b' || site.b2bPricesIncludeVat || !cookieHeader) return false
  return new RegExp(`(?:^|;\\s*)${vatDisplayCookie}=with(?:;|$)`).test(cookieHeader)
}

/** Cookie that remembers the storefront a visitor chose last: `1` for the professional one. Never a permission (decision 5). R-693. */
export const storefrontCookie = 'mm_b2b'

export function storefrontChoice(mode: Mode): '0' | '1' {
  return mode === 'b2b' ? '1' : '0'
}
