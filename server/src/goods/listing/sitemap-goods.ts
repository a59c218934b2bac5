import { activeProductIds, brandUrl, brandsWithGoods, everyNthProductId, sellersWithGoods } from '#catalogue'
import { UnavailableError, boundedCache } from '#platform'
import { knownSellers, sellerUrl, sellsTo } from '#sellers'
import { productsIndex, type ProductDocument } from './document.ts'
import { providerOf, type ListingScope } from './list-products.ts'
import { searchEngine } from './ports.ts'
import { searchClient } from './search-client.ts'

/**
 * Addresses for sitemaps (R-161, V-36): what this storefront sells now, so that each of them answers 200. Products come in
 * files of consecutive ids: a new product changes the last file alone.
 */

const filesOf = 2_000
/** Products asked of the index in one query. */
const askedAtOnce = 500
const keptMs = 600_000

const kept = boundedCache<{ until: number; value: Promise<readonly string[]> }>(40)

/** Counting a large catalogue is not repeated for every crawler. */
function forTenMinutes(key: string, read: () => Promise<readonly string[]>): Promise<readonly string[]> {
  const known = kept.get(key)
  if (known && known.until > Date.now()) return known.value
  const value = read()
  kept.set(key, { until: Date.now() + keptMs, value })
  value.catch(() => kept.delete(key))
  return value
}

function firstIdsOf({ db }: ListingScope): Promise<readonly string[]> {
  return forTenMinutes('files', () => everyNthProductId(db, filesOf))
}

/** Number of files with addresses of products. */
export async function countSitemapFiles(scope: ListingScope): Promise<number> {
  return (await firstIdsOf(scope)).length
}

/**
 * The addresses of one file, counted from 1; null when there is no such file.
 * @throws UnavailableError when the index is unavailable: an empty file would take the goods out of search engines
 */
export async function sitemapProducts(scope: ListingScope, file: number): Promise<string[] | null> {
  const firsts = await firstIdsOf(scope)
  const from = firsts[file - 1]
  if (from === undefined) return null
  const ids = await activeProductIds(scope.db, { from, before: firsts[file] ?? null, max: filesOf })
  const client = searchClient(providerOf(searchEngine()), { timeoutMs: 5_000 })
  const urls: string[] = []
  for (let at = 0; at < ids.length; at += askedAtOnce) {
    const asked = ids.slice(at, at + askedAtOnce)
    const found = await client.search({
      indexName: productsIndex(scope.market),
      params: {
        query: '',
        filters: asked.map((id) => `objectID:"${id}"`).join(' OR '),
        hitsPerPage: asked.length,
        distinct: false,
        attributesToRetrieve: ['url', 'storefronts', 'indexable'],
        attributesToHighlight: [],
        facets: [],
        analytics: false,
      },
    })
    if (found.status === 0) throw new UnavailableError(found.message)
    for (const { url, storefronts, indexable } of found.value.hits as unknown as ProductDocument[])
      if (indexable && storefronts.includes(scope.mode)) urls.push(url)
  }
  return urls
}

export function sitemapSellers(scope: ListingScope): Promise<readonly string[]> {
  return forTenMinutes(`sellers ${scope.market} ${scope.mode}`, async () => {
    const sellers = await knownSellers(scope, await sellersWithGoods(scope.db, scope.market))
    return [...sellers.values()].filter((seller) => sellsTo(seller, scope.mode)).map(sellerUrl)
  })
}

export function sitemapBrands(scope: ListingScope): Promise<readonly string[]> {
  return forTenMinutes(`brands ${scope.market}`, async () => (await brandsWithGoods(scope.db, scope.market)).map(brandUrl))
}
