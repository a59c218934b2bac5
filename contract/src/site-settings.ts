import { isMarket, isMode, marketCodes, markets, modes, type MarketFacts, type Market, type Mode } from './markets.ts'

/** What a host decides. Source: spec §6 (market and business type come from site settings), R-032, R-598. */
export interface SiteSettings extends MarketFacts {
  mode: Mode
  /** The site's own host, with port where there is one. */
  host: string
  /** Scheme and host; links, mails and canonical addresses are made with it, never with what a request claims. */
  origin: string
}

export interface SiteHosts {
  /** Site of a Host header; null when no settings are known for it. */
  siteOf(host: string | undefined): SiteSettings | null
  /** The site of a market and mode; its first host is the one links are made with. */
  site(market: Market, mode: Mode): SiteSettings
  /** Every site that is served. */
  sites: readonly SiteSettings[]
  /** Whether a host leads to this site. */
  serves(market: Market, mode: Mode): boolean
  /** Every host that is served; several may be of one market and mode. */
  all: readonly SiteSettings[]
}

/** Said for a host without settings, word for word. Source: spec §8. */
export const appSettingsNotFound = 'App settings not found.'

export interface LocalHostsOptions {
  port: number
  scheme?: 'http' | 'https'
  /** Real domains: `www.purlin.co.uk=gb/b2c,pro.purlin.co.uk=gb/b2b`. Links then lead there, and https is assumed. */
  realHosts?: string
  /** Serve the named domains and nothing else: a proxy that forwards any Host header opens no local name. */
  onlyNamed?: boolean
}

/**
 * The hosts of a running shop: `gb.localhost`, `pro.gb.localhost` and so on, bare `localhost` for gb b2c,
 * and the real domains named in the settings. A shop that serves nothing but these still knows the local site of every other
 * market, and neither answers there nor links to it.
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
  const served = [...home.values()].filter(({ host }) => byHost.has(host))
  return {
    siteOf: (host) => (host ? (byHost.get(hostName(host)) ?? null) : null),
    site: (market, mode) => home.get(`${market}/${mode}`)!,
    sites: served,
    serves: (market, mode) => served.some((site) => site.market === market && site.mode === mode),
    all: [...byHost.values()],
  }
}

/** A Host header without its port, in lower case; one trailing dot is the same host. */
function hostName(header: string): string {
  const host = header.toLowerCase()
  const end = host.startsWith('[') ? host.indexOf(']') + 1 : host.indexOf(':')
  const name = end > 0 ? host.slice(0, end) : host
  return name.endsWith('.') ? name.slice(0, -1) : name
}

/** Reads `host=market/mode,…`; throws with the part that is wrong. */
export function parseRealHosts(text: string): { host: string; market: Market; mode: Mode }[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      const [host = '', site = ''] = part.split('=')
      const [market, mode = 'b2c'] = site.split('/')
      if (!/^[a-z0-9.-]+$/i.test(host) || !isMarket(market) || !isMode(mode)) {
        throw new Error(`Not a host setting: "${part}". It reads host=market/mode, for example www.purlin.fr=fr/b2c`)
      }
      return { host: host.toLowerCase(), market, mode }
    })
}

/** Remembers that a professional wants prices with VAT: `with`. Display only, never a right (decision 5). */
export const vatDisplayCookie = 'mm_vat_display'

/** Does this visitor see prices with VAT by choice? Only a b2b site outside gb has the choice. */
export function prefersVat(site: Pick<SiteSettings, 'mode' | 'b2bPricesIncludeVat'>, cookieHeader: string | undefined): boolean {
  if (site.mode !== 'b2b' || site.b2bPricesIncludeVat || !cookieHeader) return false
  return new RegExp(`(?:^|;\\s*)${vatDisplayCookie}=with(?:;|$)`).test(cookieHeader)
}
