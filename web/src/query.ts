import qs from 'qs'
import type { QueryValue, QueryValues } from './query-text.ts'

/** Source: spec §9, R-707…R-709. */
export const queryLimits = { arrayLimit: 20, depth: 5, parameterLimit: 1000 } as const

const maxQueryLength = 16 * 1024

/**
 * Parses a query string within the limits: parts that are too long, too deep or too many are left out, never an error,
 * because an address with garbage appended still identifies its page. Keys of the prototype are dropped.
 */
export function parseQuery(search: string): QueryValues {
  const text = search.startsWith('?') ? search.slice(1) : search
  if (text === '' || text.length > maxQueryLength) return {}
  return qs.parse(text, { ...queryLimits, allowPrototypes: false, plainObjects: false, strictDepth: false }) as QueryValues
}

/** Only the named parameters. */
export function pickQuery(query: QueryValues, allowed: readonly string[]): QueryValues {
  const isAllowed = new Set(allowed)
  return Object.fromEntries(Object.entries(query).filter(([name]) => isAllowed.has(name)))
}

/** The same text for the same query, regardless of the order of its parameters. */
export function canonicalQuery(query: QueryValues): string {
  return Object.keys(query).length === 0 ? '' : JSON.stringify(sorted(query))
}

function sorted(value: QueryValue): QueryValue {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(sorted)
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  )
}

/** A query as written in an address, with its question mark. */
export function queryToSearch(query: QueryValues): string {
  return qs.stringify(query, { addQueryPrefix: true, encodeValuesOnly: true })
}
