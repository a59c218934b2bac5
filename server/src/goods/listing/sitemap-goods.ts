import { markets } from '@purlin/contract/markets.ts'
import {
  activeProductIds,
  brandUrl,
  brandsWithGoods,
  categoryUrl,
  everyNthProductId,
  reference,
  sellersWithGoods,
  type Category,
} from '#catalogue'
import { UnavailableError, boundedCache } from '#platform'
import { knownSellers, sellerUrl, sellsTo } from '#sellers'
import { countProducts } from './count-products.ts'
import { productsIndex, type ProductDocument } from './document.ts'
import { providerOf, type ListingScope } from './list-products.ts'
import { popularQueries } from './popular-queries.ts'
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

/** Queries of a department with a landing page. */
const queriesOfDepartment = 500

export function sitemapQueries(scope: ListingScope): Promise<readonly string[]> {
  return forTenMinutes(`queries ${scope.market} ${scope.mode}`, async () => {
    const { departments } = (await reference(scope)).categories
    const rows = await popularQueries(
      scope,
      departments.map(({ id }) => id),
      queriesOfDepartment,
    )
    return [...new Set(rows.flat().map(({ slug }) => slug))]
  })
}

/** Categories with goods: the page of another one is empty and not indexed. */
export async function sitemapCategories(scope: ListingScope): Promise<{ url: string; hasParts: boolean }[]> {
  const [{ categories }, counts] = await Promise.all([reference(scope), countProducts(scope)])
  const found: { url: string; hasParts: boolean }[] = []
  const visit = (category: Category): void => {
    if (!counts.get(category.id)) return
    found.push({ url: categoryUrl(category, markets[scope.market].language), hasParts: category.children.length > 0 })
    category.children.forEach(visit)
  }
  categories.departments.forEach(visit)
  return found
}
