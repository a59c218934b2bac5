import { createHash } from 'node:crypto'

const mostQueries = 1000
const known = new Map<string, string>()

export type Persisted = { query: string } | { problem: string; code: string }

/** What a request asks for, by text or by the hash of a text told before (`extensions.persistedQuery`). */
export function persistedQuery(query: unknown, extensions: unknown): Persisted | null {
  const asked = (extensions as { persistedQuery?: { version?: unknown; sha256Hash?: unknown } } | null | undefined)?.persistedQuery
  if (!asked) return typeof query === 'string' ? { query } : null
  const hash = asked.sha256Hash
  if (asked.version !== 1 || typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash))
    return { problem: 'Not a persisted query', code: 'BAD_REQUEST' }
  if (typeof query !== 'string' || !query) {
    const found = known.get(hash)
    if (found === undefined) return { problem: 'PersistedQueryNotFound', code: 'PERSISTED_QUERY_NOT_FOUND' }
    known.delete(hash)
    known.set(hash, found)
    return { query: found }
  }
  if (createHash('sha256').update(query).digest('hex') !== hash)
    return { problem: 'The hash is not that of the query', code: 'BAD_REQUEST' }
  // Long texts are not worth the memory.
  if (query.length <= 20_000) known.set(hash, query)
  const oldest = known.keys().next().value
  if (known.size > mostQueries && oldest) known.delete(oldest)
  return { query }
}
