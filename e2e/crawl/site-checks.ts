import { brotliDecompressSync } from 'node:zlib'
import { feedProblems, readGoogleFeed, readLocations } from './feeds.ts'
import { factsOf, type PageFacts } from './facts.ts'
import type { Finding } from './page-checks.ts'
import type { Site } from './site.ts'

type Pages = ReadonlyMap<string, PageFacts>

const isIndexable = ({ canonical, noindex }: PageFacts, self: string) => canonical === self && !noindex

const isSoldOut = ({ jsonLd }: PageFacts) => jsonLd.some((data) => /OutOfStock/.test(data) && !/InStock/.test(data))

/** Sitemaps list the indexable pages, all of them and nothing else, and each has a link somewhere. */
export async function sitemapFindings(site: Site, pages: Pages): Promise<Finding[]> {
  const found: Finding[] = []
  const listed = new Map<string, string>()
  const index = readLocations((await site.get('/sitemap.xml')).body.toString())
  for (const map of index) {
    const { status, body } = await site.get(map.slice(site.origin.length))
    if (status !== 200) found.push({ kind: 'sitemap', address: map, text: `answers ${status}` })
    else
      for (const location of readLocations(body.toString())) {
        if (listed.has(location)) found.push({ kind: 'sitemap', address: location, text: `listed in ${listed.get(location)} and ${map}` })
        listed.set(location, map)
      }
  }
  for (const [location, map] of site.isSample ? sample([...listed], 60) : listed) {
    const address = location.slice(site.origin.length) || '/'
    const known = pages.get(address)
    const { status, body } = known ? { status: 200, body: '' } : await site.get(address)
    const facts = known ?? (status === 200 ? factsOf(body.toString()) : undefined)
    if (!facts) found.push({ kind: 'sitemap', address, text: `answers ${status}, listed in ${map}` })
    else if (!isIndexable(facts, location))
      found.push({ kind: 'sitemap', address, text: `is not indexable under this address, listed in ${map}` })
    else if (!known && !site.isSample) found.push({ kind: 'orphan', address, text: `listed in ${map} and linked nowhere` })
  }
  for (const [address, facts] of pages)
    // Goods that are sold out for the moment stay in search engines, but are not offered to them.
    if (!address.includes('?') && !isSoldOut(facts) && isIndexable(facts, site.origin + address) && !listed.has(site.origin + address))
      found.push({ kind: 'not-in-sitemap', address, text: `an indexable page of ${facts.page}` })
  return found
}

const sample = <Item>(items: readonly Item[], size: number): Item[] =>
  items.filter((_, index) => Math.floor((index * size) / items.length) !== Math.floor(((index - 1) * size) / items.length))

/** Each indexable page names itself and its counterparts, which answer 200 and name it back. */
export async function alternateFindings(site: Site, pages: Pages, others: ReadonlyMap<string, string>): Promise<Finding[]> {
  const found: Finding[] = []
  for (const [address, facts] of pages) {
    const self = site.origin + address
    if (!isIndexable(facts, self)) continue
    const add = (text: string) => found.push({ kind: 'hreflang', address, text })
    // A later page of a list stands for itself: other markets have as many as they have goods.
    if (!address.includes('?') && !facts.alternates.some(({ href }) => href === self)) add('does not name itself')
    for (const { hreflang, href } of facts.alternates) {
      const origin = others.get(hreflang)
      if (href === self) continue
      if (origin === undefined || !href.startsWith(origin)) {
        add(`${hreflang} leads to ${href}`)
        continue
      }
      const { status, body } = await site.get(href.slice(origin.length), { origin })
      if (status !== 200) add(`${href} answers ${status}`)
      else {
        const there = factsOf(body.toString())
        if (there.canonical !== href) add(`${href} is known as ${there.canonical}`)
        else if (!there.alternates.some((back) => back.href === self)) add(`${href} does not name it back`)
      }
    }
  }
  return found
}

/** An address with an unknown id or name is not found, whatever its kind. */
export async function unknownAddressFindings(site: Site, pages: Pages): Promise<Finding[]> {
  const found: Finding[] = []
  const seen = new Set<string>()
  for (const address of pages.keys()) {
    const route = site.routeOf(address)
    if (!route || seen.has(route.name) || route.name === 'search' || route.access !== 'public') continue
    seen.add(route.name)
    const unknown = address.replace(/\?.*/, '').replace(/\d+(?=\/|$|\/\w+$)/, '999999999')
    const probe = unknown === address ? address.replace(/[\w-]+$/, 'zzqxv-qqj') : unknown
    if (probe === address || site.routeOf(probe)?.name !== route.name || !route.addresses.some((one) => one.includes('{'))) continue
    const { status } = await site.get(probe)
    if (status !== 404) found.push({ kind: 'soft-404', address: probe, text: `answers ${status} for something that does not exist` })
  }
  return found
}

/**
 * Of one file: account, checkout and Purlin Pro have a style sheet of their own besides the common one. The script names others, whose names
 * compress differently from build to build.
 */
const limits = { css: 16 * 1024, js: 9_800 }

/** Style sheets and scripts that each page loads before anything is touched, compressed as they are sent. */
export async function weightFindings(site: Site, pages: Pages): Promise<Finding[]> {
  const found: Finding[] = []
  const sizes = new Map<string, Promise<number>>()
  const sizeOf = (path: string): Promise<number> => {
    const known = sizes.get(path) ?? site.get(path, { encoding: 'br' }).then(sizeSent)
    sizes.set(path, known)
    return known
  }
  for (const [address, { styles, scripts, page }] of pages) {
    for (const [name, files] of [['css', styles] as const, ['js', scripts] as const]) {
      const bytes = Math.max(0, ...(await Promise.all(files.map(sizeOf))))
      if (bytes > limits[name]) found.push({ kind: name, address, text: `${bytes} bytes on a page of ${page}` })
    }
  }
  return found
}

function sizeSent({ status, headers, body }: { status: number; headers: Record<string, unknown>; body: Buffer }): number {
  if (status !== 200) throw new Error(`A file of a page answers ${status}`)
  // Proves that it was compressed.
  if (headers['content-encoding'] === 'br') brotliDecompressSync(body)
  return body.length
}

/** The feed can be read, its articles have everything the merchant centre requires, and a sample of their addresses and pictures answers. */
export async function feedFindings(site: Site): Promise<Finding[]> {
  const address = '/feeds/google.xml'
  const items = readGoogleFeed((await site.get(address)).body.toString())
  const found = feedProblems(items).map((text) => ({ kind: 'feed', address, text }))
  if (items.length === 0) found.push({ kind: 'feed', address, text: 'empty' })
  for (const item of sample(items, 25))
    for (const name of ['g:link', 'g:image_link', 'g:ads_redirect']) {
      const path = item[name]?.slice(site.origin.length)
      if (path === undefined) continue
      const { status } = await site.get(path)
      if (status !== 200) found.push({ kind: 'feed', address, text: `${item['g:id']}: ${name} answers ${status}` })
    }
  const [head = '', ...rows] = (await site.get('/feeds/meta.csv')).body.toString().trimEnd().split('\n')
  if (!head.startsWith('id,title,') || rows.length !== items.length)
    found.push({ kind: 'feed', address: '/feeds/meta.csv', text: `${rows.length} articles, ${items.length} in the other feed` })
  return found
}
