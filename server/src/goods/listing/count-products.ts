import { boundedCache } from '#platform'
import { productsIndex } from './document.ts'
import { providerOf, type ListingScope } from './list-products.ts'
import { searchEngine } from './ports.ts'
import { searchClient } from './search-client.ts'

const answers = boundedCache<Promise<ReadonlyMap<string, number>>>(50)

/** Cards a category of a storefront lists, descendants included, as its page counts them; empty when the engine does not answer. */
export async function countProducts(scope: ListingScope): Promise<{ get(categoryId: number): number | undefined }> {
  const counts = await countBy(scope, 'categoryIds')
  return { get: (id) => counts.get(String(id)) }
}

/** Cards a storefront lists of each brand, by its name; brands without any are missing. Null when the engine does not answer. */
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
      // A failure is not kept: the next page asks again.
      if (answer.status === 0) answers.delete(key)
      return new Map(Object.entries((answer.status === 0 ? {} : answer.value.facets?.[facet]) ?? {}))
    })
  answers.set(key, counts)
  return counts
}
