/** One block of shared memory with named, typed sections: the layout of a segment in memory and in its file. */
import { crc32 } from 'node:zlib'

export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array
type Kind = 'u8' | 'u16' | 'u32' | 'f32' | 'f64'

const MAGIC = 0x50535247
const VERSION = 5
/** Magic, version, length of the header, checksum: four bytes each. */
const PREFIX = 16
const CHECKSUM_AT = 12

const arrays = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array }

interface Header<Meta> {
  meta: Meta
  sections: Record<string, { kind: Kind; offset: number; length: number }>
}

function kindOf(array: Numbers): Kind {
  if (array instanceof Uint8Array) return 'u8'
  if (array instanceof Uint16Array) return 'u16'
  if (array instanceof Uint32Array) return 'u32'
  return array instanceof Float32Array ? 'f32' : 'f64'
}

const aligned = (offset: number) => Math.ceil(offset / 8) * 8

/** Copies the sections into one block that threads can share and a file can store unchanged. */
export function pack<Meta>(meta: Meta, sections: Map<string, Numbers>): SharedArrayBuffer {
  const header: Header<Meta> = { meta, sections: {} }
  let size = 0
  for (const [name, array] of sections) {
    header.sections[name] = { kind: kindOf(array), offset: size, length: array.length }
    size = aligned(size + array.byteLength)
  }
  const text = Buffer.from(JSON.stringify(header))
  const base = aligned(PREFIX + text.length)
  const buffer = new SharedArrayBuffer(base + size)
  new Uint32Array(buffer, 0, 3).set([MAGIC, VERSION, text.length])
  new Uint8Array(buffer, PREFIX, text.length).set(text)
  for (const [name, array] of sections) {
    const { kind, offset } = header.sections[name]!
    new arrays[kind](buffer as unknown as ArrayBuffer, base + offset, array.length).set(array)
  }
  return buffer
}

/** CRC-32 of a block apart from the checksum itself. */
const checksumOf = (buffer: SharedArrayBuffer): number =>
  crc32(new Uint8Array(buffer, PREFIX), crc32(new Uint8Array(buffer, 0, CHECKSUM_AT)))

/** Writes the checksum into a block, before it is stored. */
export function stampChecksum(buffer: SharedArrayBuffer): void {
  new Uint32Array(buffer, CHECKSUM_AT, 1)[0] = checksumOf(buffer)
}

/** Whether a block read from a file is as it was stored. */
export function isIntact(buffer: SharedArrayBuffer): boolean {
  return buffer.byteLength >= PREFIX && new Uint32Array(buffer, CHECKSUM_AT, 1)[0] === checksumOf(buffer)
}

/** The sections of a block, as views: nothing is copied. */
export function unpack<Meta>(buffer: SharedArrayBuffer): {
  meta: Meta
  section<T extends Numbers>(name: string): T
  /** Names of all sections. */
  sections: string[]
} {
  const [magic, version, length] = new Uint32Array(buffer, 0, 3)
  if (magic !== MAGIC || version !== VERSION) throw new Error('not a segment of this version')
  const header = JSON.parse(Buffer.from(buffer, PREFIX, length).toString('utf8')) as Header<Meta>
  const base = aligned(PREFIX + length!)
  return {
    meta: header.meta,
    sections: Object.keys(header.sections),
    section<T extends Numbers>(name: string): T {
      const found = header.sections[name]
      if (!found) throw new Error(`segment without section ${name}`)
      return new arrays[found.kind](buffer as unknown as ArrayBuffer, base + found.offset, found.length) as unknown as T
    },
  }
}

/** The narrowest array type for values up to `max`. */
export function narrow(length: number, max: number): Uint8Array | Uint16Array | Uint32Array {
  if (max < 0x100) return new Uint8Array(length)
  return max < 0x10000 ? new Uint16Array(length) : new Uint32Array(length)
}
