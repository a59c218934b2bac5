import type { IndexedQuery, SearchEngine, SearchParams, SearchResponse } from '@purlin/search/types.ts'

/** Milliseconds a search may take before the page is rendered without it. Source: R-546. */
export const searchTimeoutMs = 300

/** A failed search is a result too: status 0 with the message. Source: R-548. */
export type SearchAnswer<T> = { status: 200; value: T } | { status: 0; message: string }

/** The target of queries: the engine in this process, or a provider over HTTP. */
export interface SearchProvider {
  multiSearch(queries: IndexedQuery[], options: { signal: AbortSignal; userToken?: string }): Promise<SearchResponse[]>
}

export interface SearchClient {
  search(query: IndexedQuery): Promise<SearchAnswer<SearchResponse>>
  multiSearch(queries: IndexedQuery[]): Promise<SearchAnswer<SearchResponse[]>>
  /** Products a visitor has viewed, in the order of the given ids. Source: R-549…R-551. */
  productHistory(indexName: string, productIds: readonly string[]): Promise<SearchAnswer<SearchResponse['hits']>>
}

/** Consecutive failures that open the circuit breaker: a dead provider must not cost every page 300 ms. */
const breakerAfter = 5
const breakerRestMs = 1_000

export function searchClient(
  provider: SearchProvider,
  { timeoutMs = searchTimeoutMs, userToken }: { timeoutMs?: number; userToken?: string | null } = {},
): SearchClient {
  const breaker = breakerOf(provider)

  async function multiSearch(queries: IndexedQuery[]): Promise<SearchAnswer<SearchResponse[]>> {
    if (breaker.failures >= breakerAfter && Date.now() < breaker.restsUntil)
      return { status: 0, message: 'The search engine is resting after failures' }
    const controller = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        controller.abort()
        reject(new Error(`The search engine did not answer within ${timeoutMs} ms`))
      }, timeoutMs)
    })
    try {
      const asked = provider.multiSearch(queries, { signal: controller.signal, ...(userToken ? { userToken } : {}) })
      const value = await Promise.race([asked, late])
      if (value.length !== queries.length || value.some((one) => !Array.isArray(one?.hits)))
        throw new Error('The search engine answered something else')
      breaker.failures = 0
      return { status: 200, value }
    } catch (error) {
      // A rejected query is our mistake or a visitor's: it says nothing about the provider's health.
      if (!isRefusal(error)) {
        breaker.failures += 1
        breaker.restsUntil = Date.now() + breakerRestMs
      }
      return { status: 0, message: error instanceof Error ? error.message : String(error) }
    } finally {
      clearTimeout(timer)
    }
  }

  async function search(query: IndexedQuery): Promise<SearchAnswer<SearchResponse>> {
    const answer = await multiSearch([query])
    return answer.status === 0 ? answer : { status: 200, value: answer.value[0] as SearchResponse }
  }

  return {
    search,
    multiSearch,
    async productHistory(indexName, productIds) {
      if (productIds.length === 0) return { status: 200, value: [] }
      const answer = await search({ indexName, params: historyParams(productIds) })
      return answer.status === 0 ? answer : { status: 200, value: answer.value.hits }
    },
  }
}

/** Only these products, the first of the list scored highest, under the rule context for histories, hits only. */
function historyParams(productIds: readonly string[]): SearchParams {
  return {
    query: '',
    filters: productIds.map((id, index) => `objectID:"${id}"<score=${productIds.length - index}>`).join(' OR '),
    ruleContexts: ['product-history'],
    hitsPerPage: productIds.length,
    attributesToHighlight: [],
    responseFields: ['hits'],
    facets: [],
    analytics: false,
  }
}

/** The engine in this process, or any engine behind the same port. Source: R-544. */
export function engineProvider(engine: SearchEngine): SearchProvider {
  return {
    async multiSearch(queries, { signal, userToken }) {
      const asked = userToken ? queries.map((query) => ({ ...query, params: { ...query.params, userToken } })) : queries
      const answers = await engine.multiSearch(asked, signal)
      return answers as SearchResponse[]
    },
  }
}

function isRefusal(error: unknown): boolean {
  const status = (error as { status?: unknown } | null)?.status
  return typeof status === 'number' && status >= 400 && status < 500
}

const breakers = new WeakMap<SearchProvider, { failures: number; restsUntil: number }>()

function breakerOf(provider: SearchProvider): { failures: number; restsUntil: number } {
  let breaker = breakers.get(provider)
  if (!breaker) breakers.set(provider, (breaker = { failures: 0, restsUntil: 0 }))
  return breaker
}
