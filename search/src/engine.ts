import { appendFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { browseSnapshot } from './query/browse.ts'
import { restrictionOf } from './query/filter-parser.ts'
import { passes } from './query/index-searcher.ts'
import { project } from './query/hits.ts'
import { facetValuesOf, searchSnapshot, writeAnswer } from './query/search.ts'
import { liveCount, locate, type Snapshot } from './query/snapshot.ts'
import { checkSynonyms } from './query/synonyms.ts'
import { lockFolder } from './index/lock.ts'
import { openReader, type IndexReader } from './index/index-reader.ts'
import { hasIndex, openWriter, type IndexWriter, type WriterLimits } from './index/index-writer.ts'
import { ownMaker, threadMaker } from './threads/makers.ts'
import { openPool } from './threads/pool.ts'
import { SearchRequestError, type FacetHit, type IndexedQuery, type SearchEngine, type SearchParams, type SearchResponse } from './types.ts'

export interface SearchEngineOptions {
  /** Where the indexes live; made when missing. */
  directory: string
  /** One process writes; any number of others read and follow it. */
  mode?: 'writer' | 'reader'
  /** 0 searches in the calling thread, N in that many worker threads. */
  threads?: number
  /** How often a reader looks for changes. */
  pollMs?: number
  /** When live documents become a segment, how large segments of a full build are, what is kept in memory. */
  limits?: Partial<WriterLimits>
}

interface Opened {
  snapshot(): Snapshot | null
  writer: IndexWriter | null
  reader: IndexReader | null
}

const folderName = (indexName: string) => `index-${encodeURIComponent(indexName).replace(/\*/g, '%2A')}`

/**
 * Opens the engine on a folder.
 * @throws Error when another process already writes to the folder
 */
export async function openSearchEngine(options: SearchEngineOptions): Promise<SearchEngine> {
  const { directory, mode = 'writer', pollMs = 200, threads = 0 } = options
  const pool = threads > 0 ? openPool(threads) : null
  const maker = threads > 0 ? threadMaker(threads) : ownMaker()
  const onChange = (snapshot: Snapshot) => pool?.publish(snapshot)
  const limits: WriterLimits = { flushDocuments: 5_000, segmentDocuments: 250_000, documentMemory: 16_000_000, ...options.limits }
  const indexes = new Map<string, Opened>()
  mkdirSync(directory, { recursive: true })
  const release = mode === 'writer' ? lockFolder(directory) : () => undefined
  let isClosed = false

  function openIndex(name: string): Opened {
    const folder = join(directory, folderName(name))
    let opened: Opened
    if (mode === 'writer') {
      const writer = openWriter({ name, folder, limits, maker, onChange })
      opened = { snapshot: () => writer.snapshot(), writer, reader: null }
    } else {
      const reader = openReader(name, folder, limits.documentMemory, onChange)
      reader.poll()
      opened = { snapshot: () => reader.snapshot(), writer: null, reader }
    }
    indexes.set(name, opened)
    return opened
  }

  function discover(): void {
    for (const entry of readdirSync(directory)) {
      if (!entry.startsWith('index-')) continue
      const name = decodeURIComponent(entry.slice('index-'.length))
      if (!indexes.has(name) && hasIndex(join(directory, entry))) openIndex(name)
    }
  }
  discover()

  const timer =
    mode === 'reader'
      ? setInterval(() => {
          try {
            discover()
            for (const opened of indexes.values()) opened.reader!.poll()
          } catch (error) {
            process.emitWarning(error instanceof Error ? error : String(error), { code: 'SEARCH_READER' })
          }
        }, pollMs)
      : null
  timer?.unref()

  /** An index, or a named order of one: "products_price_asc". */
  function resolve(indexName: string): { snapshot: Snapshot; sort: string | null } {
    if (isClosed) throw new Error('the search engine is closed')
    if (typeof indexName !== 'string' || indexName === '') throw new SearchRequestError('an index name is needed')
    const direct = indexes.get(indexName)?.snapshot()
    if (direct) return { snapshot: direct, sort: null }
    for (let at = indexName.lastIndexOf('_'); at > 0; at = indexName.lastIndexOf('_', at - 1)) {
      const snapshot = indexes.get(indexName.slice(0, at))?.snapshot()
      const sort = indexName.slice(at + 1)
      if (snapshot?.config.shape.sorts.some((one) => one.name === sort)) return { snapshot, sort }
    }
    throw new SearchRequestError(`Index ${indexName} does not exist`, 404)
  }

  function writerOf(indexName: string): IndexWriter {
    if (mode !== 'writer') throw new SearchRequestError('this engine only reads', 403)
    if (isClosed) throw new Error('the search engine is closed')
    if (typeof indexName !== 'string' || indexName === '' || indexName.length > 200)
      throw new SearchRequestError('an index name of 1 to 200 characters is needed')
    return (indexes.get(indexName) ?? openIndex(indexName)).writer!
  }

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

  const engine: SearchEngine = {
    async search(indexName, params, signal) {
      signal?.throwIfAborted()
      return searchOne(indexName, params)
    },
    async searchWritten(indexName, params) {
      const { snapshot, sort } = resolve(indexName)
      return pool ? pool.search(snapshot.name, indexName, params, sort) : writeAnswer(snapshot, params, sort, indexName)
    },
    async multiSearch(queries, signal) {
      return Promise.all(
        queries.map(async (query: IndexedQuery) => {
          signal?.throwIfAborted()
          if (query.type !== 'facet') return searchOne(query.indexName, query.params)
          const started = performance.now()
          const facetHits = await facetValues(query.indexName, query.facet ?? '', query.facetQuery ?? '', query.params)
          return { facetHits, exhaustiveFacetsCount: true, processingTimeMS: Math.max(1, Math.round(performance.now() - started)) }
        }),
      )
    },
    facetValues,
    async getObjects(indexName, objectIDs, restrictions) {
      const { snapshot } = resolve(indexName)
      const filter = restrictionOf(restrictions, snapshot.config.shape.columns)
      const hidden = new Set(snapshot.config.settings.unretrievableAttributes ?? [])
      return objectIDs.map((objectID) => {
        const place = locate(snapshot, objectID)
        return place && passes(place.part, place.at, filter) ? project(place.part.segment.document(place.at), null, hidden) : null
      })
    },
    upsert: async (indexName, documents) => writerOf(indexName).upsert(documents),
    remove: async (indexName, objectIDs) => writerOf(indexName).remove(objectIDs),
    async replaceAll(indexName, documents, settings, progress) {
      return { documents: await writerOf(indexName).replaceAll(documents, settings, progress) }
    },
    settings: async (indexName) => resolve(indexName).snapshot.config.settings,
    setSettings: async (indexName, settings) => writerOf(indexName).configure({ settings }),
    async setSynonyms(indexName, synonyms, how) {
      const writer = writerOf(indexName)
      checkSynonyms(synonyms)
      await writer.configure({ synonyms: merged(how?.replaceExisting ? [] : writer.snapshot().config.synonyms, synonyms) })
    },
    synonyms: async (indexName) => resolve(indexName).snapshot.config.synonyms,
    async setRules(indexName, rules, how) {
      const writer = writerOf(indexName)
      await writer.configure({ rules: merged(how?.clearExisting ? [] : writer.snapshot().config.rules, rules) })
    },
    rules: async (indexName) => resolve(indexName).snapshot.config.rules,
    async events(events) {
      if (events.length === 0) return
      const at = Date.now()
      appendFileSync(
        join(directory, 'events.jsonl'),
        events.map((event) => `${JSON.stringify({ ...event, timestamp: event.timestamp ?? at })}\n`).join(''),
      )
    },
    browse: async (indexName, params) => browseSnapshot(resolve(indexName).snapshot, params),
    async listIndexes() {
      return [...indexes].flatMap(([name, opened]) => {
        const snapshot = opened.snapshot()
        return snapshot ? [{ name, entries: liveCount(snapshot), version: snapshot.version, updatedAt: snapshot.updatedAt }] : []
      })
    },
    async deleteIndex(indexName) {
      const writer = indexes.has(indexName) ? writerOf(indexName) : null
      if (!writer) return
      await writer.close()
      indexes.delete(indexName)
      pool?.drop(indexName)
      rmSync(join(directory, folderName(indexName)), { recursive: true, force: true })
    },
    version: (indexName) => indexes.get(indexName)?.snapshot()?.version ?? 0,
    async close() {
      if (isClosed) return
      isClosed = true
      if (timer) clearInterval(timer)
      for (const opened of indexes.values()) {
        await opened.writer?.close()
        opened.reader?.close()
      }
      await maker.close()
      await pool?.close()
      release()
    },
  }
  return engine
}

const textOf = (json: Uint8Array): string => Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('utf8')

/** Entries by objectID, the new ones last and in place of the old. */
function merged<T extends { objectID: string }>(old: readonly T[], added: readonly T[]): T[] {
  const ids = new Set(added.map((one) => one.objectID))
  return [...old.filter((one) => !ids.has(one.objectID)), ...added]
}
