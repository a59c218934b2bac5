import type { SearchDocument } from '../types.ts'

/**
 * Decoded documents of all segments of this process together, bounded by the length of their JSON; decoded, a document takes about
 * three times as much. Eviction is by age: a hit writes nothing.
 */
export const maxCachedBytes = 4 * 1024 * 1024

const entries = new Map<number, { document: SearchDocument; bytes: number }>()
let cachedBytes = 0
let segments = 0

export interface DocumentCache {
  get(at: number): SearchDocument | undefined
  set(at: number, document: SearchDocument, bytes: number): void
  /** When its segment is closed. */
  clear(): void
}

/** One segment's part of the cache. */
export function documentCache(): DocumentCache {
  // Document numbers have 32 bits: the key is unique among two million segments opened by one process.
  const base = segments++ * 2 ** 32
  return {
    get: (at) => entries.get(base + at)?.document,
    set(at, document, bytes) {
      if (bytes > maxCachedBytes) return
      remove(base + at)
      entries.set(base + at, { document, bytes })
      cachedBytes += bytes
      for (const oldest of entries.keys()) {
        if (cachedBytes <= maxCachedBytes) break
        remove(oldest)
      }
    },
    clear() {
      for (const key of entries.keys()) if (key >= base && key < base + 2 ** 32) remove(key)
    },
  }
}

export function cachedDocuments(): { number: number; bytes: number } {
  return { number: entries.size, bytes: cachedBytes }
}

function remove(key: number): void {
  const entry = entries.get(key)
  if (!entry) return
  entries.delete(key)
  cachedBytes -= entry.bytes
}
