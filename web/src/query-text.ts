/** The type of a parsed query, and reading values from it; separate from the parser, which is server-only. */
export type QueryValue = string | QueryValue[] | { [name: string]: QueryValue }
export type QueryValues = Record<string, QueryValue>

/** One value of a query as text: the first of a list, an empty string when it is missing or nested. */
export function queryText(query: QueryValues, name: string): string {
  const value = Object.hasOwn(query, name) ? query[name] : undefined
  if (typeof value === 'string') return value
  const first = Array.isArray(value) ? value[0] : undefined
  return typeof first === 'string' ? first : ''
}
