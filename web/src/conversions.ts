import type { CachedPage } from './html-cache.ts'
import { compressed, decompressed, type Encoding } from './reply.ts'

export interface ConversionLimits {
  /** Pages compressed anew at the same time: they share the few threads of zlib with everything else. Decompressions have as many places. */
  atOnce?: number
  /** Compressions that may wait for that; beyond, a page goes out uncompressed, which costs a tenth. */
  waiting?: number
  /** Decompressions that may wait. */
  waitingPlain?: number
  /** Memory for copies of cached pages. */
  bytes?: number
}

export interface ConversionOptions extends ConversionLimits {
  /** After the copies have grown: they share their memory with the pages. */
  onGrowth?(): void
}

export interface Converted {
  body: Buffer
  encoding: Encoding
}

export interface Conversions {
  /** The body, if it has been converted already or is being converted. */
  known(page: CachedPage, encoding: Encoding): Promise<Converted> | undefined
  /** Uncompressed if too many compressions wait; undefined if too many wait for that as well. */
  convert(page: CachedPage, encoding: Encoding): Promise<Converted> | undefined
  /** Memory of the copies. */
  bytes(): number
}

/** Uncompressed copies are several times as large as others and quick to create: they have a quarter of the memory. */
const plainShare = 1 / 4

/** Bodies of cached pages for clients that do not accept their encoding; the ones used last are kept. */
export function createConversions({
  atOnce = 2,
  waiting = 64,
  waitingPlain = 512,
  bytes = 32 * 1024 * 1024,
  onGrowth = () => {},
}: ConversionOptions = {}): Conversions {
  const packed = createCopies(bytes * (1 - plainShare), createLine(atOnce, waiting), onGrowth)
  const plain = createCopies(bytes * plainShare, createLine(atOnce, waitingPlain), onGrowth)
  const copiesOf = (encoding: Encoding): Copies => (encoding === 'identity' ? plain : packed)
  const known: Conversions['known'] = (page, encoding) => copiesOf(encoding).known(page, encoding)
  const create: Conversions['convert'] = (page, encoding) => known(page, encoding) ?? copiesOf(encoding).create(page, encoding)
  return {
    known,
    convert: (page, encoding) => create(page, encoding) ?? create(page, 'identity'),
    bytes: () => packed.bytes() + plain.bytes(),
  }
}

interface Copies extends Pick<Conversions, 'known' | 'bytes'> {
  create(page: CachedPage, encoding: Encoding): Promise<Converted> | undefined
}

function createCopies(maximumBytes: number, line: Line, onGrowth: () => void): Copies {
  // A Map keeps insertion order: the first key is the least recently used one.
  const kept = new Map<string, { converted: Promise<Converted>; bytes: number }>()
  let keptBytes = 0
  const keyOf = (page: CachedPage, encoding: Encoding): string => `${encoding} ${page.etag}`

  return {
    known(page, encoding) {
      const key = keyOf(page, encoding)
      const entry = kept.get(key)
      if (!entry) return undefined
      kept.delete(key)
      kept.set(key, entry)
      return entry.converted
    },
    create(page, encoding) {
      const converted = line(async () => ({ body: await convertedBody(page, encoding), encoding }))
      if (!converted) return undefined
      const key = keyOf(page, encoding)
      const entry = { converted, bytes: 0 }
      kept.set(key, entry)
      converted.then(
        ({ body }) => {
          entry.bytes = body.length
          keptBytes += body.length
          for (const [oldest, { bytes: size }] of kept) {
            if (keptBytes <= maximumBytes) break
            // Those on their way hold nothing yet.
            if (size === 0) continue
            kept.delete(oldest)
            keptBytes -= size
          }
          onGrowth()
        },
        () => kept.delete(key),
      )
      return converted
    },
    bytes: () => keptBytes,
  }
}

/** Undefined if too many wait. */
type Line = <Value>(work: () => Promise<Value>) => Promise<Value> | undefined

function createLine(atOnce: number, maximumWaiting: number): Line {
  const waiting: (() => void)[] = []
  let running = 0

  async function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    if (running < atOnce) running++
    else await new Promise<void>((resolve) => void waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The place goes to the next in line, or is free.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  return (work) => (running >= atOnce && waiting.length >= maximumWaiting ? undefined : inTurn(work))
}

async function convertedBody(page: CachedPage, encoding: Encoding): Promise<Buffer> {
  const plain = await decompressed(page)
  return encoding === 'identity' ? plain : compressed(plain, encoding, true)
}
