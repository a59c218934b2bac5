import { checkDimensions, ContentError, type ByteReader } from './byte-reader.ts'

const damaged = (why: string): ContentError => new ContentError('damaged', `not a JPEG: ${why}`)

/** Quantization, Huffman and arithmetic tables, restart interval, number of lines. */
const tables = new Set([0xdb, 0xc4, 0xcc, 0xdd, 0xdc])
const isFrame = (code: number): boolean => code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc
const maxScans = 200

/**
 * A JPEG without its metadata: location, camera, comments, thumbnail, colour profile and trailing bytes are removed, the
 * orientation is kept. Nothing is decoded. @throws ContentError
 */
export async function* cleanJpeg(reader: ByteReader): AsyncGenerator<Buffer> {
  yield await reader.take(2)
  let scans = 0
  let hasFrame = false
  for (;;) {
    const code = await nextMarker(reader)
    if (code === 0xd9) {
      if (scans === 0) throw damaged('no picture')
      yield Buffer.from([0xff, 0xd9])
      return
    }
    const length = (await reader.peek(2)).readUInt16BE()
    if (length < 2) throw damaged('a segment without length')
    const segment = await reader.take(length)
    const marker = Buffer.from([0xff, code])
    if (code === 0xe1) yield* orientationOf(segment)
    // JFIF holds the pixel aspect ratio, Adobe's segment the colour transform: decoders need both.
    else if (code === 0xe0 && segment.subarray(2, 7).toString('latin1') === 'JFIF\0' && length >= 16) yield jfif(segment)
    else if (code === 0xee && segment.subarray(2, 7).toString('latin1') === 'Adobe' && length === 14) yield* [marker, segment]
    else if (isFrame(code)) {
      if (hasFrame || length < 8) throw damaged('frames')
      hasFrame = true
      checkDimensions(segment.readUInt16BE(5), segment.readUInt16BE(3))
      yield* [marker, segment]
    } else if (code === 0xda) {
      if (!hasFrame || ++scans > maxScans) throw damaged('scans')
      yield* [marker, segment]
      yield* scan(reader)
    } else if (tables.has(code)) yield* [marker, segment]
    else if (code < 0xe0 && code !== 0xfe) throw damaged(`marker ${code.toString(16)}`)
  }
}

async function nextMarker(reader: ByteReader): Promise<number> {
  if ((await reader.take(1))[0] !== 0xff) throw damaged('no marker')
  for (;;) {
    const code = (await reader.take(1))[0] ?? 0
    if (code === 0) throw damaged('no marker')
    if (code !== 0xff) return code
  }
}

/** Entropy-coded data: up to the next marker that is neither a stuffed byte nor a restart. */
async function* scan(reader: ByteReader): AsyncGenerator<Buffer> {
  for (;;) {
    const chunk = await reader.some()
    if (chunk.length === 0) throw damaged('ends in the middle')
    const at = markerIn(chunk)
    if (at === chunk.length) {
      yield chunk
      continue
    }
    yield chunk.subarray(0, at)
    reader.unread(chunk.subarray(at))
    const next = await reader.peek(2)
    if (next.length < 2) throw damaged('ends in the middle')
    if (!isData(next[1])) return
    yield await reader.take(2)
  }
}

const isData = (code: number | undefined): boolean => code === 0 || (code !== undefined && code >= 0xd0 && code <= 0xd7)

/** Position of the first marker, or of an FF at the very end, which only the next byte can decide. */
function markerIn(chunk: Buffer): number {
  for (let at = chunk.indexOf(0xff); at >= 0; at = chunk.indexOf(0xff, at + 2)) {
    if (at === chunk.length - 1 || !isData(chunk[at + 1])) return at
  }
  return chunk.length
}

/** JFIF without a thumbnail. */
function jfif(segment: Buffer): Buffer {
  const made = Buffer.concat([Buffer.from([0xff, 0xe0, 0, 16]), segment.subarray(2, 16)])
  made.fill(0, 16, 18)
  return made
}

/** Of the Exif data only the orientation: without it, phone photos lie on their side. */
function* orientationOf(segment: Buffer): Generator<Buffer> {
  const value = readOrientation(segment)
  if (value === undefined || value < 2 || value > 8) return
  const body = Buffer.from('Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0', 'latin1')
  body.writeUInt16BE(value, 24)
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  yield head
  yield body
}

function readOrientation(segment: Buffer): number | undefined {
  if (segment.subarray(2, 8).toString('latin1') !== 'Exif\0\0') return undefined
  const tiff = segment.subarray(8)
  const isLittle = tiff.subarray(0, 2).toString('latin1') === 'II'
  const uint16 = (at: number): number => (at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  if (tiff.length < 8) return undefined
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  const entries = Math.min(uint16(directory), 500)
  for (let entry = 0; entry < entries; entry++) {
    const at = directory + 2 + entry * 12
    if (uint16(at) === 0x0112) return uint16(at + 8)
  }
  return undefined
}
