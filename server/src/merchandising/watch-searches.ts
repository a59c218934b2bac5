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
export function noteSearch({ market, query, results, queryId }: WatchedSearch, now = new Date()): void {
  const text = query.trim().toLowerCase().replace(/\s+/g, ' ').slice(0, 100)
  if (text === '') return
  const day = localDay(market, now)
  const key = `${market} ${day} ${text}`
  const count = counts.get(key) ?? { market, day, query: text, searches: 0, withoutResults: 0 }
  count.searches += 1
  if (results === 0) count.withoutResults += 1
  if (counts.has(key) || counts.size < mostQueries) counts.set(key, count)
  if (queryId && asked.length < mostQueries) asked.push({ queryId, market, day, query: text })
}

/** Adds what was counted to the tables. What a process counted since the last time is lost when it is killed: figures, not money. */
export async function flushSearches(db: Db): Promise<void> {
  const [searches, questions] = [[...counts.values()], asked]
  counts = new Map()
  asked = []
  if (searches.length > 0) await addSearches(db, searches)
  if (questions.length > 0) await addAsked(db, questions)
}
