import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

interface StreamLimits {
  atOnce?: number
  /** How much of a process the making of parts may take, of all files together. */
  share?: number
  /** How often the speed of a reader is checked, over the last six of these times. */
  checkMs?: number
}
/** A reader that takes longer in all gives its place to the next. */
const maxMs = 10 * 60_000
/** A slower reader would keep one of few places. Programs that read feeds are in data centres, but proxies on the way pause. */
const minBytesPerSecond = 50_000
/** A minute: a speed is an average over it. */
const checksInAverage = 6
/** Anybody may ask for these files, again and again. */
const shareOfProcess = 0.25
/** Small enough to measure a speed by. */
const sliceBytes = 65_536

/** Sends a body in parts, as fast as its reader takes them; false when the reader's network has one already or all places are taken. */
export type SendParts = (res: ServerResponse, headers: Record<string, string>, parts: AsyncIterable<string>, network: string) => boolean

/** A few long responses at once, one for each network. One that fails is cut off: half a file must not pass for a whole one. */
export function createStreams({ atOnce = 4, checkMs = 10_000, share = shareOfProcess }: StreamLimits = {}): SendParts {
  const readers = new Set<string>()
  const paced = createPace(share)
  return (res, headers, parts, network) => {
    if (readers.size >= atOnce || readers.has(network)) return false
    readers.add(network)
    const watch = watchSpeed(checkMs)
    async function* slices(): AsyncGenerator<Buffer> {
      for await (const part of paced(parts)) {
        const bytes = Buffer.from(part)
        for (let at = 0; at < bytes.length; at += sliceBytes) {
          const slice = bytes.subarray(at, at + sliceBytes)
          watch.offered()
          yield slice
          watch.taken(slice.length)
        }
      }
    }
    res.writeHead(200, headers)
    pipeline(Readable.from(slices()), res, { signal: AbortSignal.any([watch.tooSlow, AbortSignal.timeout(maxMs)]) })
      .catch(() => res.destroy())
      .finally(() => {
        watch.stop()
        readers.delete(network)
      })
    return true
  }
}

/** Parts are made one at a time, with pauses between them. */
function createPace(share: number): (parts: AsyncIterable<string>) => AsyncGenerator<string> {
  let free = Promise.resolve()
  return async function* paced(parts) {
    const iterator = parts[Symbol.asyncIterator]()
    try {
      for (;;) {
        const before = free
        const turn = Promise.withResolvers<void>()
        free = turn.promise
        await before
        const startedAt = performance.now()
        let made
        try {
          made = await iterator.next()
        } finally {
          setTimeout(turn.resolve, (performance.now() - startedAt) * (1 / share - 1))
        }
        if (made.done) return
        yield made.value
      }
    } finally {
      await iterator.return?.()
    }
  }
}

interface SpeedWatch {
  tooSlow: AbortSignal
  offered(): void
  taken(bytes: number): void
  stop(): void
}

/** Aborts for a reader that is slow in the time in which we wait for it: the time in which the next part is made does not count. */
function watchSpeed(checkMs: number): SpeedWatch {
  const slow = new AbortController()
  let waitingSince: number | null = null
  let current = { waitedMs: 0, bytes: 0 }
  const recent = [current]
  const addWait = () => {
    if (waitingSince !== null) current.waitedMs += Date.now() - waitingSince
  }
  const timer = setInterval(() => {
    addWait()
    if (waitingSince !== null) waitingSince = Date.now()
    const waitedMs = recent.reduce((sum, check) => sum + check.waitedMs, 0)
    const bytes = recent.reduce((sum, check) => sum + check.bytes, 0)
    if (waitedMs >= (checksInAverage / 2) * checkMs && bytes < (minBytesPerSecond * waitedMs) / 1000) slow.abort()
    current = { waitedMs: 0, bytes: 0 }
    recent.push(current)
    if (recent.length > checksInAverage) recent.shift()
  }, checkMs)
  return {
    tooSlow: slow.signal,
    offered: () => void (waitingSince = Date.now()),
    taken: (length) => {
      addWait()
      waitingSince = null
      current.bytes += length
    },
    stop: () => clearInterval(timer),
  }
}
