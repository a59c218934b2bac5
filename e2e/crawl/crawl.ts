/** A crawl of a storefront, as a search engine would do it: every link, every canonical address, every alternate, sitemaps and feeds. */
import { marketCodes, markets, type Market, type Mode } from '@purlin/contract/markets.ts'
import { routes, type ShopRoute } from '@purlin/storefront/routes.ts'
import { compileRoutes } from '@purlin/web/route-table.ts'
import { ask } from '../support/ask.ts'
import { originOf } from '../support/visitor.ts'
import { wordsOf } from '../support/words.ts'
import { factsOf, type PageFacts } from './facts.ts'
import type { Site } from './site.ts'
import { canonicalFindings, pageFindings, type Finding } from './page-checks.ts'
import { alternateFindings, feedFindings, sitemapFindings, unknownAddressFindings, weightFindings } from './site-checks.ts'

export interface CrawlOptions {
  /** Address of a running shop; the market is chosen by the Host header. */
  shop: string
  market: Market
  mode?: Mode
  /** Maximum number of pages of each route; everything without it. */
  perRoute?: number
  maxPages?: number
  onProgress?: (pages: number, waiting: number) => void
}

export interface CrawlReport {
  pages: number
  /** Number of addresses of each route that were found. */
  byRoute: Record<string, number>
  findings: Finding[]
}

const match = compileRoutes<ShopRoute>(routes)
const concurrent = 4
/** Copies of pages by facet, order and price are closed to search engines; the pages of a list are not. */
const isFollowed = (address: string) => !address.includes('?') || /\?page=\d+$/.test(address)

export async function crawl({ shop, market, mode = 'b2c', perRoute, maxPages = 20_000, onProgress }: CrawlOptions): Promise<CrawlReport> {
  const { port } = new URL(shop)
  const site: Site = {
    market,
    mode,
    origin: originOf(shop, market, mode),
    isSample: perRoute !== undefined,
    get: (path, { origin = site.origin, encoding } = {}) =>
      ask(`http://127.0.0.1:${port}`, {
        path,
        headers: { host: new URL(origin).host, ...(encoding && { 'accept-encoding': encoding }) },
      }),
    routeOf: (address) => match(address.split(/[?#]/)[0] ?? '/', mode)?.route,
  }
  const t = wordsOf(market)
  const excuses = [t('error.not-found.title')]
  const pages = new Map<string, PageFacts>()
  const findings: Finding[] = []
  const byRoute: Record<string, number> = {}
  const from = new Map<string, string>([['/', 'the start']])
  const waiting = ['/']
  const admit = (address: string, source: string): void => {
    if (from.has(address) || from.size >= maxPages) return
    const name = site.routeOf(address)?.name ?? 'files'
    byRoute[name] = (byRoute[name] ?? 0) + 1
    if (perRoute !== undefined && (byRoute[name] ?? 0) > perRoute) return
    from.set(address, source)
    waiting.push(address)
  }
  const visit = async (address: string): Promise<void> => {
    const { status, headers, body } = await site.get(address)
    const [route, source] = [site.routeOf(address), from.get(address) ?? '']
    if (status >= 400) findings.push({ kind: 'broken-link', address, text: `${status}, linked on ${source}` })
    // Pages of customers lead to signing in; everything else is linked by its own address.
    if (status >= 300 && status < 400 && route?.access === 'public' && !route.endpoint && status !== 302 && status !== 303)
      findings.push({ kind: 'redirected-link', address, text: `${status} to ${String(headers['location'])}, linked on ${source}` })
    if (status !== 200 || !String(headers['content-type']).startsWith('text/html')) return
    const facts = factsOf(body.toString())
    pages.set(address, facts)
    findings.push(...pageFindings({ address, facts, excuses }))
    for (const link of [...facts.links, ...facts.pictures]) {
      const target = ownAddress(link, address, site.origin)
      if (target !== null && isFollowed(target)) admit(target, address)
    }
  }
  const runner = async (): Promise<void> => {
    for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
      await visit(address)
      if (pages.size % 100 === 0) onProgress?.(pages.size, waiting.length)
    }
  }
  // A runner that finds nothing to do leaves; the first round begins with what the home page links to.
  await visit(waiting.shift() ?? '/')
  while (waiting.length > 0) await Promise.all(Array.from({ length: concurrent }, runner))

  findings.push(
    ...canonicalFindings(site.origin, pages),
    ...(await sitemapFindings(site, pages)),
    ...(await alternateFindings(site, pages, others(shop, market, mode))),
    ...(await unknownAddressFindings(site, pages)),
    ...(await weightFindings(site, pages)),
    ...(mode === 'b2c' ? await feedFindings(site) : []),
  )
  return { pages: pages.size, byRoute, findings: withoutRepeats(findings) }
}

const others = (shop: string, market: Market, mode: Mode): ReadonlyMap<string, string> =>
  new Map(marketCodes.filter((other) => other !== market).map((other) => [markets[other].locale, originOf(shop, other, mode)]))

/** The address of a link on this storefront without its fragment; null for those of other hosts, mails and phones. */
function ownAddress(link: string, on: string, origin: string): string | null {
  const url = URL.canParse(link, origin + on) ? new URL(link, origin + on) : null
  return url?.origin === origin && !link.startsWith('#') ? url.pathname + url.search : null
}

/** A mistake of the header is on every page, and told once per link. */
function withoutRepeats(findings: readonly Finding[]): Finding[] {
  const known = new Set<string>()
  return findings.filter(({ kind, address, text }) => {
    const key = `${kind} ${kind === 'anchor' ? '' : address} ${text}`
    return !known.has(key) && known.add(key)
  })
}
