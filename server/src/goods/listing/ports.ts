import type { Market } from '@purlin/contract/markets.ts'
import type { SearchEngine } from '@purlin/search/types.ts'

/**
 * The search engine behind the shop. The worker opens it as writer, the other processes as readers;
 * each tells it here once at its start (`connectSearch`). Any engine that keeps the seam will do.
 */
let connected: SearchEngine | undefined

export function connectSearch(engine: SearchEngine): void {
  connected = engine
}

/** @throws when no engine was connected: a fault of the start, not of a request */
export function searchEngine(): SearchEngine {
  if (!connected) throw new Error('No search engine is connected')
  return connected
}

/** Goods that belong together, by a service that learns from what people do. Source: R-552. */
export interface Recommendations {
  /** Product ids, best first. */
  forHistory(market: string, productIds: readonly string[], limit: number, signal: AbortSignal): Promise<string[]>
}

let recommending: Recommendations | undefined

/** Optional: without one, recommendations come from the index. */
export function connectRecommendations(service: Recommendations | undefined): void {
  recommending = service
}

export function recommendations(): Recommendations | undefined {
  return recommending
}

/** What was searched and how much was found, told to whoever counts it. */
export interface AnsweredSearch {
  market: Market
  query: string
  results: number
  queryId: string | null
  /** Filtered or sorted anew: no search of its own, though events may come back about it. */
  isRefined: boolean
}

let listener: ((search: AnsweredSearch) => void) | undefined

/** One listener; it must neither throw nor take time. */
export function watchSearches(heard: (search: AnsweredSearch) => void): void {
  listener = heard
}

export function tellSearch(search: AnsweredSearch): void {
  listener?.(search)
}
