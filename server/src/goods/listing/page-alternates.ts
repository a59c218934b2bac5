import { marketCodes, markets, type Market } from '@purlin/contract/markets.ts'
import { categoryUrl, type Category } from '#catalogue'
import { countProducts } from './count-products.ts'
import type { ListingScope } from './list-products.ts'

/** The page of a category in each market that sells goods of it: elsewhere it is empty and not indexed. (V-36) */
export async function categoryAlternates(scope: ListingScope, category: Category): Promise<{ market: Market; url: string }[]> {
  const counts = await Promise.all(marketCodes.map((market) => countProducts({ ...scope, market })))
  return marketCodes
    .filter((_market, at) => (counts[at]?.get(category.id) ?? 0) > 0)
    .map((market) => ({ market, url: categoryUrl(category, markets[market].language) }))
}

/** The same for a page with one address in all markets, by the lists of such pages that sitemaps have. */
export async function alternatesIn(
  scope: ListingScope,
  url: string,
  urlsOf: (scope: ListingScope) => Promise<readonly string[]>,
): Promise<{ market: Market; url: string }[]> {
  const lists = await Promise.all(marketCodes.map((market) => urlsOf({ ...scope, market })))
  return marketCodes.filter((_market, at) => lists[at]?.includes(url)).map((market) => ({ market, url }))
}
