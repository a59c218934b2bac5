import { brandUrl } from '#catalogue'
import { UnavailableError, boundedCache, type Statement } from '#platform'
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

const firstIds: Statement = {
  name: 'listing.sitemap-first-ids',
  text: `select id::text as id from (select id, row_number() over (order by id) as n from catalogue.product where status = 'active') p
    where (n - 1) % $1 = 0 order by p.id`,
}
const idsBetween: Statement = {
  name: 'listing.sitemap-ids',
  text: `select id::text as id from catalogue.product where status = 'active' and id >= $1 and ($2::bigint is null or id < $2) order by id limit $3`,
}
const sellersHere: Statement = {
  name: 'listing.sitemap-sellers',
  text: `select distinct seller_id as id from catalogue.offer where market = $1 and status = 'active' and stock > 0 and not is_sample order by 1`,
}
const brandsHere: Statement = {
  name: 'listing.sitemap-brands',
  text: `select b.id, b.slug from catalogue.brand b where exists (select from catalogue.product p
    join catalogue.offer o on o.product_id = p.id and o.market = $1 and o.status = 'active' and o.stock > 0 and not o.is_sample
    where p.brand_id = b.id and p.status = 'active') order by b.id`,
}

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
  return forTenMinutes('files', async () => (await db.rows<{ id: string }>(firstIds, [filesOf])).map(({ id }) => id))
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
  const rows = await scope.db.rows<{ id: string }>(idsBetween, [from, firsts[file] ?? null, filesOf])
  const client = searchClient(providerOf(searchEngine()), { timeoutMs: 5_000 })
  const urls: string[] = []
  for (let at = 0; at < rows.length; at += askedAtOnce) {
    const asked = rows.slice(at, at + askedAtOnce)
    const found = await client.search({
      indexName: productsIndex(scope.market),
      params: {
        query: '',
        filters: asked.map(({ id }) => `objectID:"${id}"`).join(' OR '),
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
    const ids = (await scope.db.rows<{ id: number }>(sellersHere, [scope.market])).map(({ id }) => id)
    const sellers = await knownSellers(scope, ids)
    return [...sellers.values()].filter((seller) => sellsTo(seller, scope.mode)).map(sellerUrl)
  })
}

export function sitemapBrands(scope: ListingScope): Promise<readonly string[]> {
  return forTenMinutes(`brands ${scope.market}`, async () => {
    return (await scope.db.rows<{ id: number; slug: string }>(brandsHere, [scope.market])).map(brandUrl)
  })
}
