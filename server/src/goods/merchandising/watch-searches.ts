import type { Market } from '@purlin/contract/markets.ts'
import { localDay } from '#pricing'
import type { Db } from '#platform'
import { addAsked, addSearches } from './analytics-store.ts'

export interface WatchedSearch {
  market: Market
  query: string
  results: number
  /** Given when events may come back about it. */
  queryId?: string | null
  /** Of a search that was counted before. */
  isRefined?: boolean
}

interface Count {
  market: Market
  day: string
  query: string
  searches: number
  withoutResults: number
}

const mostQueries = 5_000
let counts = new Map<string, Count>()
let asked: { queryId: string; market: Market; day: string; query: string }[] = []

/** Counts one search; nothing is written now. A flood of different queries is cut off, never a page. */
export function noteSearch({ market, query, results, queryId, isRefined = false }: WatchedSearch, now = new Date()): void {
  const text = query.trim().toLowerCase().replace(/\s+/g, ' ').slice(0, 100)
  if (text === '') return
  const day = localDay(market, now)
  if (!isRefined) add({ market, day, query: text, searches: 1, withoutResults: results === 0 ? 1 : 0 })
  if (queryId && asked.length < mostQueries) asked.push({ queryId, market, day, query: text })
}

function add(more: Count): void {
  const key = `${more.market} ${more.day} ${more.query}`
  const count = counts.get(key)
  if (count) {
    count.searches += more.searches
    count.withoutResults += more.withoutResults
  } else if (counts.size < mostQueries) counts.set(key, more)
}

/**
 * Adds what was counted to the tables; what they do not take is kept for the next time. What a process counted since
 * the last time is lost when it is killed: figures, not money.
 */
export async function flushSearches(db: Db): Promise<void> {
  const searches = [...counts.values()]
  counts = new Map()
  if (searches.length > 0)
    await addSearches(db, searches).catch((error: unknown) => {
      for (const count of searches) add(count)
      throw error
    })
  const questions = asked
  asked = []
  if (questions.length > 0)
    await addAsked(db, questions).catch((error: unknown) => {
      asked = [...questions, ...asked].slice(0, mostQueries)
      throw error
    })
}
