import { checkDimensions, ContentError, type ByteReader } from './byte-reader.ts'

const damaged = (why: string): ContentError => new ContentError('damaged', `not a WebP: ${why}`)

const flags = { profile: 0x20, alpha: 0x10, animation: 0x02 }

/**
 * A WebP reduced to its picture. Exif data, XMP, colour profiles and unknown chunks are blanked at the same length, because
 * the total length comes first; trailing bytes are removed. @throws ContentError
 */
export async function* cleanWebp(reader: ByteReader): AsyncGenerator<Buffer> {
  const head = await reader.take(12)
  yield head
  let left = head.readUInt32LE(4) - 4
  let hasPicture = false
  for (let isFirst = true; left > 0; isFirst = false) {
    if (left < 8) throw damaged('length')
    const chunk = await reader.take(8)
    const type = chunk.subarray(0, 4).toString('latin1')
    const length = chunk.readUInt32LE(4)
    const padded = length + (length % 2)
    left -= 8 + padded
    if (left < 0) throw damaged('length')
    if (type === 'VP8X') {
      if (!isFirst || length !== 10) throw damaged('header')
      const body = Buffer.from(await reader.take(10))
      if ((body[0] ?? 0) & flags.animation) throw new ContentError('wrong-type', 'an animation')
      checkDimensions(body.readUIntLE(4, 3) + 1, body.readUIntLE(7, 3) + 1)
      body[0] = (body[0] ?? 0) & flags.alpha
      yield* [chunk, body]
    } else if (type === 'VP8 ' || type === 'VP8L') {
      if (hasPicture) throw damaged('two pictures')
      hasPicture = true
      checkFrame(type, await reader.peek(10))
      yield chunk
      yield* reader.pass(padded)
    } else if (type === 'ALPH') {
      yield chunk
      yield* reader.pass(padded)
    } else {
      if (type === 'ANIM' || type === 'ANMF') throw new ContentError('wrong-type', 'an animation')
      const empty = Buffer.from(chunk)
      empty.write('JUNK', 'latin1')
      yield empty
      for await (const part of reader.pass(padded)) yield Buffer.alloc(part.length)
    }
  }
  if (!hasPicture) throw damaged('no picture')
}

function checkFrame(type: string, start: Buffer): void {
  if (start.length < 10) throw damaged('frame')
  if (type === 'VP8L') {
    if (start[0] !== 0x2f) throw damaged('frame')
    const bits = start.readUInt32LE(1)
    checkDimensions((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
  } else {
    if (start.readUIntBE(3, 3) !== 0x9d012a) throw damaged('frame')
    checkDimensions(start.readUInt16LE(6) & 0x3fff, start.readUInt16LE(8) & 0x3fff)
  }
}
