import type { Market } from '@purlin/contract/markets.ts'
import type { ProductCard } from '@purlin/contract/product-card.ts'
import { reference } from '#catalogue'
import { priceDisplay } from '#pricing'
import { cardOf } from './card.ts'
import { productsIndex, type ProductDocument } from './document.ts'
import { providerOf, type ListingScope } from './list-products.ts'
import { recommendations, searchEngine } from './ports.ts'
import { searchClient, searchTimeoutMs } from './search-client.ts'

/** Minimum number of viewed products for recommendations, by market. Source, decision 10. */
export const historyFrom: Readonly<Record<Market, number>> = { es: 3, fr: 3, gb: 3, de: 3, it: 3 }
const historyUsed = 20
const shown = 8

/**
 * Products for a visitor who has viewed these, the last viewed first: from the recommendation service if one is
 * connected, else from the index: the same categories and brands, weighted towards the last viewed.
 * Empty below the threshold, and when neither is available. Source: R-552.
 */
export async function recommendForHistory(scope: ListingScope, seen: readonly string[]): Promise<ProductCard[]> {
  if (seen.length < historyFrom[scope.market]) return []
  const history = seen.slice(0, historyUsed)
  const client = searchClient(providerOf(searchEngine()))
  const index = productsIndex(scope.market)
  const viewer = { display: priceDisplay(scope), mode: scope.mode, now: scope.now, catalogue: await reference(scope) }
  const cards = (hits: readonly unknown[]): ProductCard[] => hits.map((hit) => cardOf(hit as ProductDocument, viewer))

  const service = recommendations()
  if (service) {
    const ids = await service.forHistory(scope.market, history, shown, AbortSignal.timeout(searchTimeoutMs)).catch(() => null)
    if (ids === null) return []
    // What is new has not been learned yet: nothing learned is left to likeness.
    if (ids.length > 0) {
      const found = await client.productHistory(index, ids)
      return found.status === 0
        ? []
        : cards(found.value.filter((hit) => (hit as unknown as ProductDocument).storefronts.includes(scope.mode)))
    }
  }

  const known = await client.productHistory(index, history)
  if (known.status === 0) return []
  const weights = new Map<string, number>()
  for (const [at, { categoryIds, brandId }] of (known.value as unknown as ProductDocument[]).entries()) {
    const recency = historyUsed - at
    const leaf = `categoryIds:${categoryIds.at(-1)}`
    weights.set(leaf, (weights.get(leaf) ?? 0) + recency * 2)
    weights.set(`brandId:${brandId}`, (weights.get(`brandId:${brandId}`) ?? 0) + recency)
  }
  const categories = [...weights.keys()].filter((key) => key.startsWith('categoryIds:'))
  if (categories.length === 0) return []
  const answer = await client.search({
    indexName: index,
    params: {
      query: '',
      facetFilters: [[`storefronts:${scope.mode}`], ['inStock:true'], categories, ...history.map((id) => [`objectID:-${id}`])],
      optionalFilters: [...weights].map(([filter, weight]) => `${filter}<score=${weight}>`),
      sumOrFiltersScores: true,
      hitsPerPage: shown,
      attributesToHighlight: [],
      distinct: true,
      analytics: false,
    },
  })
  return answer.status === 0 ? [] : cards(answer.value.hits)
}
