import type { Market } from '@purlin/contract/markets.ts'
import { localDay } from '#pricing'
import type { Db } from '#platform'
import { addAsked, addSearches, storedQueries } from './analytics-store.ts'
import { learningRules } from './train-ranking.ts'

export interface WatchedSearch {
  market: Market
  query: string
  results: number
  /** Set when later events may refer to it. */
  queryId?: string | null
  /** Products shown. */
  shown?: readonly string[]
  /** Belongs to a search already counted. */
  isRefined?: boolean
}

interface Count {
  market: Market
  day: string
  query: string
  searches: number
  withoutResults: number
}

/** An e-mail address or a phone number pasted into the search box must not reach analytics. */
const personal = /[^\s@]{1,64}@[^\s@]{1,190}\.|^(?:\+|00?)[1-9][\d ()/.-]{7,20}$/

const maxQueries = 5_000
/** Searches of a day whose ids this process stores, for events that name them. */
const maxAskedOfDay = 200_000
let askedOn = { day: '', count: 0 }
let counts = new Map<string, Count>()
let asked: { queryId: string; market: Market; day: string; query: string; shown: readonly string[]; at: Date }[] = []

/** A query as analytics name it; null for one that they must not contain. */
export function analysedText(query: string): string | null {
  const text = query.trim().toLowerCase().replace(/\s+/g, ' ').slice(0, 100)
  return text === '' || personal.test(text) ? null : text
}

/** Counts one search in memory. A flood of distinct queries is capped, never a page. */
export function noteSearch({ market, query, results, queryId, shown = [], isRefined = false }: WatchedSearch, now = new Date()): void {
  const text = analysedText(query)
  if (text === null) return
  const day = localDay(market, now)
  if (!isRefined) add({ market, day, query: text, searches: 1, withoutResults: results === 0 ? 1 : 0 })
  if (queryId && asked.length < maxQueries && hasRoom(day))
    asked.push({ queryId, market, day, query: text, shown: shown.slice(0, learningRules.places), at: now })
}

/** Whether the id of another search of this day is stored. */
function hasRoom(day: string): boolean {
  if (day > askedOn.day) askedOn = { day, count: 0 }
  return askedOn.count++ < maxAskedOfDay
}

function add(more: Count): void {
  const key = `${more.market} ${more.day} ${more.query}`
  const count = counts.get(key)
  if (count) {
    count.searches += more.searches
    count.withoutResults += more.withoutResults
  } else if (counts.size < maxQueries) counts.set(key, more)
}

/**
 * Adds the counts to the tables; counts they could not store are kept for the next time. Counts since the last flush are
 * lost when the process is killed: statistics, not money.
 */
export async function flushSearches(db: Db): Promise<void> {
  const searches = [...counts.values()]
  counts = new Map()
  if (searches.length > 0)
    await addSearches(db, searches).catch((error: unknown) => {
      for (const count of searches) add(count)
      throw error
    })
  await flushQueries(db)
}

/** Stores the ids of searches, for events that other processes receive: soon, since a click is dropped while its search is unknown. */
export async function flushQueries(db: Db): Promise<void> {
  const questions = asked
  asked = []
  if (questions.length > 0)
    await addAsked(db, questions).catch((error: unknown) => {
      asked = [...questions, ...asked].slice(0, maxQueries)
      throw error
    })
}

/** Those of the ids that searches of this shop had, in the last days. */
export async function knownQueries(db: Db, queryIds: ReadonlySet<string>): Promise<Set<string>> {
  if (queryIds.size === 0) return new Set()
  const here = asked.filter(({ queryId }) => queryIds.has(queryId)).map(({ queryId }) => queryId)
  return new Set([...here, ...(await storedQueries(db, [...queryIds]))])
}
