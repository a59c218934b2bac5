import type { Market } from '@purlin/contract/markets.ts'
import type { SearchEngine } from '@purlin/search/types.ts'

/**
 * The search engine behind the shop. The worker opens it as writer, the other processes as readers;
 * each connects it here once at start (`connectSearch`). Any engine that implements this port will do.
 */
let connected: SearchEngine | undefined

export function connectSearch(engine: SearchEngine): void {
  connected = engine
}

/** @throws when no engine is connected: a bug of the start-up, not of a request */
export function searchEngine(): SearchEngine {
  if (!connected) throw new Error('No search engine is connected')
  return connected
}

/** Related products, from a service that learns from visitor behaviour. Source: R-552. */
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

/** A search and its number of hits, for analytics. */
export interface AnsweredSearch {
  market: Market
  query: string
  results: number
  queryId: string | null
  /** Products shown, which events with this query id may be about. */
  shown: readonly string[]
  /** Filtered or sorted again: not a search of its own, though events may refer to it. */
  isRefined: boolean
}

let listener: ((search: AnsweredSearch) => void) | undefined

/** A single listener; it must neither throw nor block. */
export function watchSearches(heard: (search: AnsweredSearch) => void): void {
  listener = heard
}

export function reportSearch(search: AnsweredSearch): void {
  listener?.(search)
}
