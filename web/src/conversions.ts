import type { CachedPage } from './html-cache.ts'
import { compressed, decompressed, type Encoding } from './reply.ts'

export interface ConversionLimits {
  /** Pages converted at the same time: they share the few threads of zlib with everything else. */
  atOnce?: number
  /** Conversions that may wait for that. */
  waiting?: number
  /** Memory for converted bodies. */
  bytes?: number
}

export interface Conversions {
  /** The body, if it has been converted already or is being converted. */
  known(page: CachedPage, encoding: Encoding): Promise<Buffer> | undefined
  /** Undefined if too many wait already. */
  convert(page: CachedPage, encoding: Encoding): Promise<Buffer> | undefined
}

/** Bodies of cached pages for clients that do not accept their encoding; the ones used last are kept. */
export function createConversions({ atOnce = 2, waiting = 256, bytes = 16 * 1024 * 1024 }: ConversionLimits = {}): Conversions {
  // A Map keeps insertion order: the first key is the least recently used one.
  const kept = new Map<string, { body: Promise<Buffer>; bytes: number }>()
  let keptBytes = 0
  const line: (() => void)[] = []
  let running = 0

  const keyOf = (page: CachedPage, encoding: Encoding): string => `${encoding} ${page.etag}`

  function known(page: CachedPage, encoding: Encoding): Promise<Buffer> | undefined {
    const key = keyOf(page, encoding)
    const entry = kept.get(key)
    if (!entry) return undefined
    kept.delete(key)
    kept.set(key, entry)
    return entry.body
  }

  async function inLine(work: () => Promise<Buffer>): Promise<Buffer> {
    if (running < atOnce) running++
    else await new Promise<void>((resolve) => void line.push(resolve))
    try {
      return await work()
    } finally {
      // The place goes to the next in line, or is free.
      const next = line.shift()
      if (next) next()
      else running--
    }
  }

  return {
    known,
    convert(page, encoding) {
      const before = known(page, encoding)
      if (before) return before
      if (running >= atOnce && line.length >= waiting) return undefined
      const key = keyOf(page, encoding)
      const body = inLine(() => converted(page, encoding))
      const entry = { body, bytes: 0 }
      kept.set(key, entry)
      body.then(
        ({ length }) => {
          entry.bytes = length
          keptBytes += length
          for (const [oldest, { bytes: size }] of kept) {
            if (keptBytes <= bytes) break
            // Those on their way hold nothing yet.
            if (size === 0) continue
            kept.delete(oldest)
            keptBytes -= size
          }
        },
        () => kept.delete(key),
      )
      return body
    },
  }
}

async function converted(page: CachedPage, encoding: Encoding): Promise<Buffer> {
  const plain = await decompressed(page)
  return encoding === 'identity' ? plain : compressed(plain, encoding, true)
}
