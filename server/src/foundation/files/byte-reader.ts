import type { Source } from './object-store.ts'

/** Reasons to refuse bytes: an unsupported type, content that does not match its type, active content, too many pixels, or too much to inspect. */
export type ContentFault = 'wrong-type' | 'damaged' | 'active-content' | 'too-many-pixels' | 'too-complex'

export class ContentError extends Error {
  readonly fault: ContentFault
  constructor(fault: ContentFault, message: string) {
    super(message)
    this.fault = fault
  }
}

export interface ByteReader {
  /** The next bytes without consuming them; fewer at the end of the source. */
  peek(count: number): Promise<Buffer>
  /** @throws ContentError if the source ends before */
  take(count: number): Promise<Buffer>
  /** The next bytes as they arrive, for parts too long to buffer. */
  pass(count: number): AsyncGenerator<Buffer>
  skip(count: number): Promise<void>
  /** Whatever has arrived; empty at the end. */
  some(): Promise<Buffer>
  /** Puts bytes back in front. */
  unread(bytes: Buffer): void
}

/** Reads a stream by lengths, buffering no more than one chunk and the requested bytes. */
export function byteReader(source: Source): ByteReader {
  const chunks = iterate(source)
  let held: Buffer = Buffer.alloc(0)
  async function fill(count: number): Promise<void> {
    const parts = [held]
    let length = held.length
    while (length < count) {
      const next = await chunks.next()
      if (next.done) break
      parts.push(next.value)
      length += next.value.length
    }
    if (parts.length > 1) held = Buffer.concat(parts)
  }
  async function some(): Promise<Buffer> {
    if (held.length === 0) await fill(1)
    const all = held
    held = Buffer.alloc(0)
    return all
  }
  async function* pass(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0;) {
      const chunk = await some()
      if (chunk.length === 0) throw new ContentError('damaged', 'ends in the middle')
      yield chunk.subarray(0, left)
      held = chunk.subarray(left)
      left -= Math.min(left, chunk.length)
    }
  }
  return {
    some,
    pass,
    async peek(count) {
      await fill(count)
      return held.subarray(0, count)
    },
    async take(count) {
      await fill(count)
      if (held.length < count) throw new ContentError('damaged', 'ends in the middle')
      const taken = held.subarray(0, count)
      held = held.subarray(count)
      return taken
    },
    async skip(count) {
      for await (const _ of pass(count));
    },
    unread(bytes) {
      held = held.length === 0 ? bytes : Buffer.concat([bytes, held])
    },
  }
}

async function* iterate(source: Source): AsyncGenerator<Buffer> {
  for await (const chunk of source) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}

/** Decoded, this is 200 MB, which an image viewer can still handle. Phones take at most 50 megapixels. */
const maxPixels = 50_000_000
const longestSide = 20_000

/** @throws ContentError for a picture too large to decode */
export function checkDimensions(width: number, height: number): void {
  if (width < 1 || height < 1) throw new ContentError('damaged', 'no pixels')
  if (width > longestSide || height > longestSide || width * height > maxPixels)
    throw new ContentError('too-many-pixels', `${width} × ${height} pixels`)
}
