import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

interface StreamLimits {
  atOnce?: number
  /** How long a reader may take for one part: slower ones would keep one of few places. */
  pauseMs?: number
  /** A reader that takes longer in all gives its place to the next. */
  wholeMs?: number
}

/** Sends a body in parts, as fast as its reader takes them; false when the reader has one already or all places are taken. */
export type SendParts = (res: ServerResponse, headers: Record<string, string>, parts: AsyncIterable<string>, address: string) => boolean

/** A few long responses at once, one for each address. One that fails is cut off: half a file must not pass for a whole one. */
export function createStreams({ atOnce = 4, pauseMs = 30_000, wholeMs = 10 * 60_000 }: StreamLimits = {}): SendParts {
  const readers = new Set<string>()
  return (res, headers, parts, address) => {
    if (readers.size >= atOnce || readers.has(address)) return false
    readers.add(address)
    const slow = new AbortController()
    const pause = setTimeout(() => slow.abort(), pauseMs)
    async function* watched(): AsyncGenerator<string> {
      for await (const part of parts) {
        pause.refresh()
        yield part
      }
    }
    res.writeHead(200, headers)
    pipeline(Readable.from(watched()), res, { signal: AbortSignal.any([slow.signal, AbortSignal.timeout(wholeMs)]) })
      .catch(() => res.destroy())
      .finally(() => {
        clearTimeout(pause)
        readers.delete(address)
      })
    return true
  }
}
