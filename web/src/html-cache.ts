/** Rendered pages in memory: admission by popularity, single flight, stale-while-revalidate, purge by tag, bounded memory. */
import { createAdmission } from './admission.ts'

/** A page in one encoding, brotli if it is cached; `send-shared.ts` converts it for clients that need another. */
export interface CachedPage {
  body: Buffer
  encoding: 'gzip' | 'brotli'
  etag: string
  /** Flat response headers for `body`, ready for writeHead; content-encoding and content-length come last. */
  headers: string[]
}

export interface CacheEntry {
  key: string
  page: CachedPage
  tags: readonly string[]
  freshUntil: number
  staleUntil: number
  bytes: number
  /** When a request for it was last counted. */
  countedAt: number
}

/** The result of a fill: a page to cache, or null when it must not be served to anybody else. */
export interface Filled {
  page: CachedPage
  tags: readonly string[]
  seconds: number
  stale: number
}

export interface FillAnswer<Result> {
  result: Result
  keep: Filled | null
  /** The page is gone: a cached copy is not even acceptable as a fallback. */
  drop?: boolean
}

export interface HtmlCache {
  /** Records a request for a page that is not in the cache; those served from it are recorded by `get`, one a second. */
  request(key: string): void
  /**
   * Whether a page is worth caching: requested twice recently, and once the cache is full more often than the one it would evict.
   * The long tail, such as unpopular pages of an experiment's variation, then evicts nothing that is requested more.
   */
  admits(key: string): boolean
  /** A page that may be served now; if it is stale, `revalidate` is set once per flight. */
  get(key: string): { page: CachedPage; revalidate: boolean } | null
  /** Runs `fill` once for all concurrent requests of the key and caches its result; `drop` evicts the cached page. */
  fill<Result>(key: string, fill: () => Promise<FillAnswer<Result>>): Promise<Result>
  /** Another spelling of a cached page's key: lets an address be found before it is parsed. */
  alias(raw: string, key: string): void
  byAlias(raw: string): { page: CachedPage; revalidate: boolean } | null
  purge(tags: Iterable<string>): number
  clear(): void
  /** Evicts what exceeds the limit, after the copies have grown. */
  trim(): void
  /** `bytes` are those of pages, copies and spellings. */
  stats(): { entries: number; bytes: number; copiedBytes: number; hits: number; misses: number; purged: number }
}

export interface HtmlCacheOptions {
  /** Of pages, their copies and spellings together. */
  maximumBytes?: number
  /** Memory of copies in other encodings. */
  copiedBytes?: () => number
  now?: () => number
}

export const defaultCacheBytes = 128 * 1024 * 1024
/** Estimated size of an entry's headers, tags and bookkeeping. */
const overheadBytes = 1024
const maxAliasLength = 400
/** Recent requests for which a page is cached, however often the others were requested: nobody can reserve the cache. (V-13) */
const alwaysEnough = 8
/** Requests served from the cache cost their sender nothing: of a page, one is counted in this time. (V-13) */
const countedEveryMs = 1000
/** Estimated size of a spelling's bookkeeping. */
const aliasOverheadBytes = 100
/** Clients choose spellings, and a page that is served from the cache is counted for nobody: they must not evict pages. (V-13) */
const aliasShare = 1 / 8

export function createHtmlCache({
  maximumBytes = defaultCacheBytes,
  copiedBytes = () => 0,
  now = Date.now,
}: HtmlCacheOptions = {}): HtmlCache {
  // A Map keeps insertion order: the first key is the least recently used one.
  const entries = new Map<string, CacheEntry>()
  const byTag = new Map<string, Set<string>>()
  const aliases = new Map<string, string>()
  let aliasBytes = 0
  const flights = new Map<string, Promise<unknown>>()
  const purgedAt = new Map<string, number>()
  const admission = createAdmission({ now })
  let clearedAt = -1
  let clock = 0
  let bytes = 0
  let hits = 0
  let misses = 0
  let purged = 0

  const remove = (key: string): void => {
    const entry = entries.get(key)
    if (!entry) return
    entries.delete(key)
    bytes -= entry.bytes
    for (const tag of entry.tags) {
      const keys = byTag.get(tag)
      keys?.delete(key)
      if (keys?.size === 0) byTag.delete(tag)
    }
  }

  const get = (key: string) => {
    const entry = entries.get(key)
    const time = now()
    if (!entry || time >= entry.staleUntil) {
      if (entry) remove(key)
      misses++
      return null
    }
    hits++
    if (time - entry.countedAt >= countedEveryMs) {
      entry.countedAt = time
      admission.hit(key)
    }
    entries.delete(key)
    entries.set(key, entry)
    return { page: entry.page, revalidate: time >= entry.freshUntil && !flights.has(key) }
  }

  const keepPage = (key: string, filled: Filled, startedAt: number): void => {
    // A purge during the fill may have come too late for this page: it is not cached.
    if (clearedAt >= startedAt || filled.tags.some((tag) => (purgedAt.get(tag) ?? -1) >= startedAt)) return
    remove(key)
    const { page } = filled
    const size = page.body.length + key.length * 2 + overheadBytes
    if (size > maximumBytes) return
    const countedAt = now()
    const freshUntil = countedAt + filled.seconds * 1000
    const staleUntil = freshUntil + filled.stale * 1000
    const entry = { key, page, tags: [...new Set(filled.tags)], freshUntil, staleUntil, bytes: size, countedAt }
    entries.set(key, entry)
    bytes += size
    for (const tag of entry.tags) {
      const keys = byTag.get(tag)
      if (keys) keys.add(key)
      else byTag.set(tag, new Set([key]))
    }
    trim()
  }

  const trim = (): void => {
    for (const oldest of entries.keys()) {
      if (bytes + aliasBytes + copiedBytes() <= maximumBytes) break
      remove(oldest)
    }
  }

  const weightOf = (raw: string): number => raw.length * 2 + aliasOverheadBytes
  const removeAlias = (raw: string): void => {
    if (aliases.delete(raw)) aliasBytes -= weightOf(raw)
  }

  /** Whether a page of usual size fits in without evicting another. */
  const hasRoom = (): boolean => {
    const used = bytes + aliasBytes + copiedBytes()
    return used + bytes / Math.max(1, entries.size) <= maximumBytes
  }
  const admits = (key: string): boolean => {
    if (!admission.admits(key)) return false
    const [oldest] = entries.keys()
    const requests = admission.requestsOf(key)
    return oldest === undefined || hasRoom() || requests >= alwaysEnough || requests > admission.requestsOf(oldest)
  }

  return {
    request: admission.request,
    admits,
    get,
    async fill<Result>(key: string, fill: () => Promise<FillAnswer<Result>>): Promise<Result> {
      const running = flights.get(key)
      if (running) return running as Promise<Result>
      const startedAt = clock++
      const flight = fill()
        .then(({ result, keep, drop }) => {
          if (keep) keepPage(key, keep, startedAt)
          else if (drop) remove(key)
          return result
        })
        .finally(() => {
          flights.delete(key)
          // Purges are remembered only for pages still being rendered.
          if (flights.size === 0) purgedAt.clear()
        })
      flights.set(key, flight)
      return flight
    },
    alias(raw, key) {
      const entry = entries.get(key)
      if (raw.length > maxAliasLength || !entry) return
      removeAlias(raw)
      // The entry's own string: each request makes the key anew.
      aliases.set(raw, entry.key)
      aliasBytes += weightOf(raw)
      for (const oldest of aliases.keys()) {
        if (aliasBytes <= maximumBytes * aliasShare) break
        removeAlias(oldest)
      }
      trim()
    },
    byAlias(raw) {
      const key = aliases.get(raw)
      if (key === undefined) return null
      aliases.delete(raw)
      if (entries.has(key)) aliases.set(raw, key)
      else aliasBytes -= weightOf(raw)
      return get(key)
    },
    purge(tags) {
      let count = 0
      for (const tag of tags) {
        if (flights.size > 0) purgedAt.set(tag, clock)
        for (const key of byTag.get(tag) ?? []) {
          remove(key)
          count++
        }
      }
      clock++
      purged += count
      return count
    },
    clear() {
      for (const key of entries.keys()) remove(key)
      aliases.clear()
      aliasBytes = 0
      clearedAt = clock++
    },
    trim,
    stats: () => ({ entries: entries.size, bytes: bytes + aliasBytes + copiedBytes(), copiedBytes: copiedBytes(), hits, misses, purged }),
  }
}
