import { boundedCache } from '#platform'
import { productsIndex } from './document.ts'
import { providerOf, type ListingScope } from './list-products.ts'
import { searchEngine } from './ports.ts'
import { searchClient } from './search-client.ts'

const answers = boundedCache<Promise<ReadonlyMap<string, number>>>(50)

/** Number of cards in each category of a storefront, descendants included, as its page counts them; empty when the engine is unavailable. */
export async function countProducts(scope: ListingScope): Promise<{ get(categoryId: number): number | undefined }> {
  const counts = await countBy(scope, 'categoryIds')
  return { get: (id) => counts.get(String(id)) }
}

/** Number of cards per brand name on a storefront; brands without any are missing. Null when the engine is unavailable. */
export async function countByBrand(scope: ListingScope): Promise<ReadonlyMap<string, number> | null> {
  const counts = await countBy(scope, 'brandName')
  return counts.size > 0 ? counts : null
}

function countBy(scope: ListingScope, facet: 'categoryIds' | 'brandName'): Promise<ReadonlyMap<string, number>> {
  const engine = searchEngine()
  const index = productsIndex(scope.market)
  const key = `${engine.version(index)}:${scope.market}:${scope.mode}:${facet}`
  const known = answers.get(key)
  if (known) return known
  const params = {
    query: '',
    hitsPerPage: 0,
    facetFilters: [[`storefronts:${scope.mode}`]],
    facets: [facet],
    distinct: true,
    facetingAfterDistinct: true,
    analytics: false,
  }
  const counts = searchClient(providerOf(engine))
    .search({ indexName: index, params: { ...params, maxValuesPerFacet: 1_000 } })
    .then((answer) => {
      // A failure is not cached: the next page tries again.
      if (answer.status === 0) answers.delete(key)
      return new Map(Object.entries((answer.status === 0 ? {} : answer.value.facets?.[facet]) ?? {}))
    })
  answers.set(key, counts)
  return counts
}
