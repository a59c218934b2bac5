import { UnavailableError } from '#platform'
import { queriesIndex } from './document.ts'
import { providerOf, type ListingScope } from './list-products.ts'
import { searchEngine } from './ports.ts'
import { searchClient } from './search-client.ts'

/** A query with results on this storefront, and its landing page. */
export interface PopularQuery {
  query: string
  /** The query as a title. */
  label: string
  /** The slug of its address. */
  slug: string
}

/** For each category its most productive queries, in one round trip to the engine; empty lists when it is unavailable. */
export async function popularQueries(scope: ListingScope, categoryIds: readonly number[], size: number): Promise<PopularQuery[][]> {
  const answer = await searchClient(providerOf(searchEngine())).multiSearch(
    categoryIds.map((id) => ({
      indexName: queriesIndex(scope.market),
      params: {
        query: '',
        facetFilters: [['hasLanding:true'], [`storefronts:${scope.mode}`], [`categoryIds:${id}`]],
        hitsPerPage: size,
        analytics: false,
        attributesToHighlight: [],
      },
    })),
  )
  if (answer.status === 0) return categoryIds.map(() => [])
  return answer.value.map(({ hits }) => distinct(hits.map(queryOf)))
}

/** The query of a landing page's address, or null. @throws UnavailableError when the engine is unavailable, because that is not a missing page */
export async function queryOfSlug(scope: ListingScope, slug: string): Promise<PopularQuery | null> {
  if (!/^[a-z0-9-]{1,120}$/.test(slug)) return null
  const answer = await searchClient(providerOf(searchEngine())).search({
    indexName: queriesIndex(scope.market),
    params: {
      query: '',
      facetFilters: [['hasLanding:true'], [`storefronts:${scope.mode}`], [`slug:${slug}`]],
      hitsPerPage: 1,
      analytics: false,
      attributesToHighlight: [],
    },
  })
  if (answer.status === 0) throw new UnavailableError('the search engine is unavailable')
  const [hit] = answer.value.hits
  return hit ? queryOf(hit) : null
}

function queryOf({ query, label, slug }: Readonly<Record<string, unknown>>): PopularQuery {
  return { query: String(query), label: String(label), slug: String(slug) }
}

/** A category and a product type may have the same name. */
function distinct(queries: readonly PopularQuery[]): PopularQuery[] {
  return [...new Map(queries.toReversed().map((one) => [one.slug, one])).values()].toReversed()
}
