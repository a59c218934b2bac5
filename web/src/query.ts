import qs from 'qs'
import type { QueryValue, QueryValues } from './query-text.ts'

/** Source: spec §9, R-707…R-709. */
export const queryLimits = { arrayLimit: 20, depth: 5, parameterLimit: 1000 } as const

const longestQuery = 16 * 1024

/**
 * A query string within the limits: what is too long, too deep or too much is left out, never an error,
 * since an address with rubbish behind it still names its page. Keys of the prototype are dropped.
 */
export function parseQuery(search: string): QueryValues {
  const text = search.startsWith('?') ? search.slice(1) : search
  if (text === '' || text.length > longestQuery) return {}
  return qs.parse(text, { ...queryLimits, allowPrototypes: false, plainObjects: false, strictDepth: false }) as QueryValues
}

/** Only the named parameters. */
export function pickQuery(query: QueryValues, allowed: readonly string[]): QueryValues {
  const picked: QueryValues = {}
  for (const name of allowed) if (Object.hasOwn(query, name)) picked[name] = query[name]!
  return picked
}

/** The same text for the same query, whatever order its parameters came in. */
export function canonicalQuery(query: QueryValues): string {
  return Object.keys(query).length === 0 ? '' : JSON.stringify(sorted(query))
}

function sorted(value: QueryValue): QueryValue {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(sorted)
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name]!)]),
  )
}

/** A query as it is written behind an address, with its question mark. */
export function queryToSearch(query: QueryValues): string {
  return qs.stringify(query, { addQueryPrefix: true, encodeValuesOnly: true })
}
