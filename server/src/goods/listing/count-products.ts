import { boundedCache } from '#platform'
import { productsIndex } from './document.ts'
import { providerOf, type ListingScope } from './list-products.ts'
import { searchEngine } from './ports.ts'
import { searchClient } from './search-client.ts'

const answers = boundedCache<Promise<ReadonlyMap<number, number>>>(50)

/** Cards a category of a storefront lists, descendants included, as its page counts them; empty when the engine does not answer. */
export function countProducts(scope: ListingScope): Promise<ReadonlyMap<number, number>> {
  const engine = searchEngine()
  const index = productsIndex(scope.market)
  const key = `${engine.version(index)}:${scope.market}:${scope.mode}`
  const known = answers.get(key)
  if (known) return known
  const params = {
    query: '',
    hitsPerPage: 0,
    facetFilters: [[`storefronts:${scope.mode}`]],
    facets: ['categoryIds'],
    distinct: true,
    facetingAfterDistinct: true,
    analytics: false,
  }
  const counts = searchClient(providerOf(engine))
    .search({ indexName: index, params: { ...params, maxValuesPerFacet: 1_000 } })
    .then((answer) => {
      // A failure is not kept: the next page asks again.
      if (answer.status === 0) answers.delete(key)
      const facets = answer.status === 0 ? {} : answer.value.facets?.categoryIds
      return new Map(Object.entries(facets ?? {}).map(([id, count]) => [Number(id), count]))
    })
  answers.set(key, counts)
  return counts
}
