import { crc32, deflateSync } from 'node:zlib'

/** Files as users and attackers send them. */

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1')

/** An 8 × 8 grey picture, as the smallest possible encoder writes it. */
const quantization = segment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)]))
const huffman = (kind: number): Buffer => segment(0xc4, Buffer.concat([Buffer.from([kind, 1]), Buffer.alloc(15), Buffer.from([0])]))

export function segment(code: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, code, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

export interface JpegParts {
  width?: number
  height?: number
  /** Segments before the image data. */
  before?: Buffer[]
  /** Bytes after the end of the image. */
  after?: Buffer
}

export function jpeg({ width = 8, height = 8, before = [], after = Buffer.alloc(0) }: JpegParts = {}): Buffer {
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(height, 1)
  frame.writeUInt16BE(width, 3)
  const jfif = segment(0xe0, ascii('JFIF\0\x01\x01\0\0\x01\0\x01\0\0'))
  const scan = segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0]))
  const picture = [quantization, segment(0xc0, frame), huffman(0x00), huffman(0x10), scan, Buffer.from([0x3f, 0xff, 0x00, 0x12])]
  return Buffer.concat([Buffer.from([0xff, 0xd8]), jfif, ...before, ...picture, Buffer.from([0xff, 0xd9]), after])
}

/** Exif data with an orientation and a location. */
export function exif(orientation: number): Buffer {
  const directory = Buffer.alloc(2 + 2 * 12 + 4)
  directory.writeUInt16LE(2, 0)
  directory.writeUInt16LE(0x0112, 2)
  directory.writeUInt16LE(3, 4)
  directory.writeUInt32LE(1, 6)
  directory.writeUInt16LE(orientation, 10)
  directory.writeUInt16LE(0x8825, 14)
  return segment(0xe1, Buffer.concat([ascii('Exif\0\0II\x2a\0\x08\0\0\0'), directory, ascii('GPS 51.5007 N 0.1246 W, camera 4711')]))
}

export function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([ascii(type), body])
  const head = Buffer.alloc(4)
  head.writeUInt32BE(body.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([head, named, sum])
}

export interface PngParts {
  width?: number
  height?: number
  more?: Buffer[]
  after?: Buffer
}

export function png({ width = 2, height = 2, more = [], after = Buffer.alloc(0) }: PngParts = {}): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const data = chunk('IDAT', deflateSync(Buffer.alloc(6)))
  return Buffer.concat([ascii('\x89PNG\r\n\x1a\n'), chunk('IHDR', header), ...more, data, chunk('IEND', Buffer.alloc(0)), after])
}

/** A WebP whose header declares more than the image needs. */
export function webp({ flags = 0x2c, width = 16, more = [] as Buffer[] } = {}): Buffer {
  const part = (type: string, body: Buffer): Buffer => {
    const head = Buffer.alloc(8)
    head.write(type, 'latin1')
    head.writeUInt32LE(body.length, 4)
    return Buffer.concat([head, body, Buffer.alloc(body.length % 2)])
  }
  const extended = Buffer.alloc(10)
  extended[0] = flags
  extended.writeUIntLE(width - 1, 4, 3)
  const lossless = Buffer.alloc(12)
  lossless[0] = 0x2f
  lossless.writeUInt32LE(15, 1)
  const parts = [part('VP8X', extended), ...more, part('VP8L', lossless), part('EXIF', ascii('GPS 51.5007 N, camera 4711'))]
  const body = Buffer.concat([ascii('WEBP'), ...parts])
  const head = Buffer.alloc(8)
  head.write('RIFF', 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}

/** A PDF with extra catalog entries, extra objects, and data before or after it. */
export function pdf({ catalog = '', objects = [] as (string | Buffer)[], start = '%PDF-1.7\n', end = '%%EOF\n' } = {}): Buffer {
  return Buffer.concat([
    ascii(`${start}1 0 obj\n<< /Type /Catalog /Pages 2 0 R ${catalog} >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n`),
    ...objects.map((object) => (typeof object === 'string' ? ascii(object) : object)),
    ascii(`trailer\n<< /Root 1 0 R >>\nstartxref\n0\n${end}`),
  ])
}

export function stream(dictionary: string, content: Buffer): Buffer {
  return Buffer.concat([ascii(`9 0 obj\n<< ${dictionary} /Length ${content.length} >>\nstream\n`), content, ascii('\nendstream\nendobj\n')])
}

export const packed = (text: string): Buffer => deflateSync(ascii(text))
