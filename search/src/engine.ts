import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readerRegistry, writerRegistry, type IndexRegistry } from './index-registry.ts'
import { beginEpoch, fenceOf, highestEpoch } from './index/epochs.ts'
import { fileLease } from './index/file-lease.ts'
import type { WriterLimits } from './index/writer-context.ts'
import type { WriterFencedError, WriterLease } from './index/writer-lease.ts'
import { browseSnapshot } from './query/browse.ts'
import { restrictionOf } from './query/filter-parser.ts'
import { project } from './query/hits.ts'
import { passes } from './query/index-searcher.ts'
import { facetValuesOf, searchSnapshot, writeAnswer } from './query/search.ts'
import { liveCount, locate, type Snapshot } from './query/snapshot.ts'
import { checkSynonyms } from './query/synonyms.ts'
import { ownMaker, threadMaker } from './threads/makers.ts'
import { openPool, type SearchPool } from './threads/pool.ts'
import { SearchRequestError, type FacetHit, type IndexedQuery, type SearchEngine, type SearchParams, type SearchResponse } from './types.ts'

export interface SearchEngineOptions {
  /** Where the indexes are kept; made when missing. */
  directory: string
  /** One process writes; any number of others read and follow it. Writer by default. */
  mode?: 'writer' | 'reader'
  /** Grants the right to write; by default a lease in the directory, for the processes of one machine. */
  lease?: WriterLease
  /** Called once when another writer has taken over: every further write is refused. By default a `SEARCH_LEASE` warning. */
  onLeaseLost?: (error: WriterFencedError) => void
  /** 0 searches in the calling thread, N in that many worker threads; 0 by default. */
  threads?: number
  /** Milliseconds between two looks of a reader for changes; 200. */
  pollMs?: number
  /**
   * A reader that searches in the calling thread closes indexes that nobody has used for this many milliseconds, and opens them at
   * their next use; by default all are open.
   */
  idleMs?: number
  /** When documents in memory are flushed, how large segments of a rebuild are, what is kept in memory. */
  limits?: Partial<WriterLimits>
}

const LIMITS: WriterLimits = { flushDocuments: 5_000, segmentDocuments: 250_000, documentMemory: 16_000_000 }

/**
 * Opens the engine on a directory.
 * @throws WriterLeaseHeldError when another process writes to the directory
 */
export async function openSearchEngine(options: SearchEngineOptions): Promise<SearchEngine> {
  const { directory, threads = 0 } = options
  mkdirSync(directory, { recursive: true })
  const pool = threads > 0 ? openPool(threads) : null
  let opened: Opened
  try {
    opened = await openIndexes(options, (snapshot) => pool?.publish(snapshot))
  } catch (error) {
    await pool?.close()
    throw error
  }
  let isClosed = false
  const access = accessTo(opened.indexes, () => isClosed)
  return {
    ...reads(access, pool),
    ...writes(access, pool),
    async events(events) {
      if (events.length === 0) return
      const at = Date.now()
      appendFileSync(
        join(directory, 'events.jsonl'),
        events.map((event) => `${JSON.stringify({ ...event, timestamp: event.timestamp ?? at })}\n`).join(''),
      )
    },
    async close() {
      if (isClosed) return
      isClosed = true
      await opened.close()
      await pool?.close()
    },
  }
}

interface Opened {
  indexes: IndexRegistry
  close(): Promise<void>
}

async function openIndexes(options: SearchEngineOptions, onChange: (snapshot: Snapshot) => void): Promise<Opened> {
  const { directory, mode = 'writer', pollMs = 200, idleMs = Infinity, threads = 0, lease = fileLease() } = options
  const limits = { ...LIMITS, ...options.limits }
  if (mode === 'reader') {
    const indexes = readerRegistry({ directory, limits, onChange, pollMs, idleMs: threads > 0 ? Infinity : idleMs })
    return { indexes, close: () => indexes.close() }
  }
  const held = await lease.acquire({ directory, above: highestEpoch(directory) })
  const maker = threads > 0 ? threadMaker(threads) : ownMaker()
  try {
    const fence = fenceOf(directory, held, onceLost(options.onLeaseLost))
    const indexes = writerRegistry({ directory: beginEpoch(directory, fence), limits, onChange, maker, fence })
    return {
      indexes,
      async close() {
        await indexes.close()
        await maker.close()
        await held.release()
      },
    }
  } catch (error) {
    await maker.close()
    await held.release()
    throw error
  }
}

function onceLost(onLost: SearchEngineOptions['onLeaseLost']): (error: WriterFencedError) => void {
  let isReported = false
  return (error) => {
    if (isReported) return
    isReported = true
    if (onLost) onLost(error)
    else process.emitWarning(error.message, { code: 'SEARCH_LEASE' })
  }
}

/** The indexes as requests name them. */
interface Access {
  indexes: IndexRegistry
  /** An index, or a sort order of one: "products_price_asc". */
  resolve(indexName: string): { snapshot: Snapshot; sort: string | null }
  /** An index by its own name, made when missing. */
  writable(indexName: string): ReturnType<IndexRegistry['writer']>
}

function accessTo(indexes: IndexRegistry, isClosed: () => boolean): Access {
  const checkOpen = () => {
    if (isClosed()) throw new Error('the search engine is closed')
  }
  return {
    indexes,
    resolve(indexName) {
      checkOpen()
      if (typeof indexName !== 'string' || indexName === '') throw new SearchRequestError('an index name is needed')
      const direct = indexes.snapshot(indexName)
      if (direct) return { snapshot: direct, sort: null }
      for (let at = indexName.lastIndexOf('_'); at > 0; at = indexName.lastIndexOf('_', at - 1)) {
        const snapshot = indexes.snapshot(indexName.slice(0, at))
        const sort = indexName.slice(at + 1)
        if (snapshot?.config.schema.sorts.some((one) => one.name === sort)) return { snapshot, sort }
      }
      throw new SearchRequestError(`Index ${indexName} does not exist`, 404)
    },
    writable(indexName) {
      checkOpen()
      if (typeof indexName !== 'string' || indexName === '' || indexName.length > 200)
        throw new SearchRequestError('an index name of 1 to 200 characters is needed')
      return indexes.writer(indexName)
    },
  }
}

type Reads = Pick<
  SearchEngine,
  | 'search'
  | 'searchWritten'
  | 'multiSearch'
  | 'facetValues'
  | 'getObjects'
  | 'settings'
  | 'synonyms'
  | 'rules'
  | 'browse'
  | 'listIndexes'
  | 'version'
>

function reads({ resolve, indexes }: Access, pool: SearchPool | null): Reads {
  async function searchOne(indexName: string, params: SearchParams): Promise<SearchResponse> {
    const { snapshot, sort } = resolve(indexName)
    if (!pool) return searchSnapshot(snapshot, params, sort, indexName)
    const { json } = await pool.search(snapshot.name, indexName, params, sort)
    return JSON.parse(textOf(json)) as SearchResponse
  }
  async function facetValues(indexName: string, facet: string, facetQuery: string, params: SearchParams): Promise<FacetHit[]> {
    const { snapshot } = resolve(indexName)
    return pool ? pool.facetValues(snapshot.name, facet, facetQuery, params) : facetValuesOf(snapshot, facet, facetQuery, params)
  }
  async function oneOfMany({ indexName, params, ...query }: IndexedQuery) {
    if (query.type !== 'facet') return searchOne(indexName, params)
    const started = performance.now()
    const facetHits = await facetValues(indexName, query.facet ?? '', query.facetQuery ?? '', params)
    return { facetHits, exhaustiveFacetsCount: true, processingTimeMS: Math.max(1, Math.round(performance.now() - started)) }
  }
  return {
    async search(indexName, params, signal) {
      signal?.throwIfAborted()
      return searchOne(indexName, params)
    },
    async searchWritten(indexName, params, { maxBytes } = {}) {
      const { snapshot, sort } = resolve(indexName)
      return pool ? pool.search(snapshot.name, indexName, params, sort, maxBytes) : writeAnswer(snapshot, params, sort, indexName, maxBytes)
    },
    async multiSearch(queries, signal) {
      signal?.throwIfAborted()
      return Promise.all(queries.map(oneOfMany))
    },
    facetValues,
    getObjects: async (indexName, objectIDs, restrictions) => objectsOf(resolve(indexName).snapshot, objectIDs, restrictions),
    settings: async (indexName) => resolve(indexName).snapshot.config.settings,
    synonyms: async (indexName) => resolve(indexName).snapshot.config.synonyms,
    rules: async (indexName) => resolve(indexName).snapshot.config.rules,
    browse: async (indexName, params) => browseSnapshot(resolve(indexName).snapshot, params),
    async listIndexes() {
      return indexes.names().flatMap((name) => {
        const snapshot = indexes.snapshot(name)
        if (!snapshot) return []
        const { version, updatedAt } = snapshot
        return [{ name, entries: liveCount(snapshot), version, updatedAt, isDamaged: indexes.isDamaged(name) }]
      })
    },
    version: (indexName) => indexes.snapshot(indexName)?.version ?? 0,
  }
}

function objectsOf(snapshot: Snapshot, objectIDs: readonly string[], restrictions?: readonly string[]) {
  const filter = restrictionOf(restrictions, snapshot.config.schema.columns)
  const hidden = new Set(snapshot.config.settings.unretrievableAttributes ?? [])
  return objectIDs.map((objectID) => {
    const place = locate(snapshot, objectID)
    return place && passes(place.part, place.at, filter) ? project(place.part.segment.document(place.at), null, hidden) : null
  })
}

type Writes = Pick<SearchEngine, 'upsert' | 'remove' | 'replaceAll' | 'setSettings' | 'setSynonyms' | 'setRules' | 'deleteIndex'>

function writes({ writable, indexes }: Access, pool: SearchPool | null): Writes {
  return {
    upsert: async (indexName, documents) => writable(indexName).upsert(documents),
    remove: async (indexName, objectIDs) => writable(indexName).remove(objectIDs),
    async replaceAll(indexName, documents, settings, progress) {
      return { documents: await writable(indexName).replaceAll({ documents, settings, progress }) }
    },
    setSettings: async (indexName, settings) => writable(indexName).configure({ settings }),
    async setSynonyms(indexName, synonyms, how) {
      const writer = writable(indexName)
      checkSynonyms(synonyms)
      await writer.configure({ synonyms: merged(how?.replaceExisting ? [] : writer.snapshot().config.synonyms, synonyms) })
    },
    async setRules(indexName, rules, how) {
      const writer = writable(indexName)
      await writer.configure({ rules: merged(how?.clearExisting ? [] : writer.snapshot().config.rules, rules) })
    },
    async deleteIndex(indexName) {
      if (!indexes.names().includes(indexName)) return
      await indexes.delete(indexName)
      pool?.drop(indexName)
    },
  }
}

const textOf = (json: Uint8Array): string => Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('utf8')

/** Entries by objectID, the new ones last and in place of the old. */
function merged<T extends { objectID: string }>(old: readonly T[], added: readonly T[]): T[] {
  const ids = new Set(added.map((one) => one.objectID))
  return [...old.filter((one) => !ids.has(one.objectID)), ...added]
}
