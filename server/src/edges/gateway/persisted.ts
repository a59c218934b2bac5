import { createHash } from 'node:crypto'
import { knownDocuments } from '@purlin/contract/generated/known-documents.ts'
import { boundedCache } from '#platform'

/** Texts registered under their hash, up to four million characters. */
const told = boundedCache<string>(4_000_000, (text) => 200 + text.length)

/** The hash of a request's document if it is one of our own: a hash is not enough for another text. */
export function ownDocumentOf(query: unknown, extensions: unknown): string | null {
  const hash = (extensions as { persistedQuery?: { sha256Hash?: unknown } } | null | undefined)?.persistedQuery?.sha256Hash
  if (typeof hash !== 'string' || !Object.hasOwn(knownDocuments, hash)) return null
  return !query || query === knownDocuments[hash] ? hash : null
}

export type Persisted = { query: string } | { documentId: string } | { problem: string; code: string }

/**
 * The document of a request (`extensions.persistedQuery`): one of our own by its hash, a text, or the hash of a text
 * registered earlier. Where the API is not public, only the first.
 */
export function persistedQuery(query: unknown, extensions: unknown, { isPublicApi }: { isPublicApi: boolean }): Persisted | null {
  const asked = (extensions as { persistedQuery?: { version?: unknown; sha256Hash?: unknown } } | null | undefined)?.persistedQuery
  const hash = asked?.sha256Hash
  if (asked && (asked.version !== 1 || typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)))
    return { problem: 'Not a persisted query', code: 'BAD_REQUEST' }
  const own = ownDocumentOf(query, extensions)
  if (own !== null) return { documentId: own }
  if (!isPublicApi) return { problem: 'Only documents of this shop are answered, by their hash', code: 'UNKNOWN_DOCUMENT' }
  if (typeof hash !== 'string') return typeof query === 'string' ? { query } : null
  if (typeof query !== 'string' || !query) {
    const found = told.get(hash)
    return found === undefined ? { problem: 'PersistedQueryNotFound', code: 'PERSISTED_QUERY_NOT_FOUND' } : { query: found }
  }
  if (createHash('sha256').update(query).digest('hex') !== hash)
    return { problem: 'The hash is not that of the query', code: 'BAD_REQUEST' }
  // Long texts are not worth the memory.
  if (query.length <= 20_000) told.set(hash, query)
  return { query }
}
