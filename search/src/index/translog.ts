import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, readSync, write } from 'node:fs'
import { crc32 } from 'node:zlib'
import { translogPath } from './commit-point.ts'

/** One operation in the translog: whole documents, or the ids of those to remove. */
export interface TranslogRecord {
  sequence: number
  kind: 'upsert' | 'remove'
  /** JSON of documents, or ids. */
  items: Buffer[]
}

const HEAD = 12
const MAX_RECORD = 1 << 30

/** Length of the body, CRC-32 of these four bytes, CRC-32 of the body (4 bytes each); then kind (1), sequence (8), number of items (4), and each item with its length (4). */
export function encodeRecord(record: TranslogRecord): Buffer {
  const size = 13 + record.items.reduce((sum, item) => sum + 4 + item.length, 0)
  const out = Buffer.allocUnsafe(HEAD + size)
  let at = HEAD
  at = out.writeUInt8(record.kind === 'upsert' ? 1 : 2, at)
  at = out.writeDoubleLE(record.sequence, at)
  at = out.writeUInt32LE(record.items.length, at)
  for (const item of record.items) {
    at = out.writeUInt32LE(item.length, at)
    at += item.copy(out, at)
  }
  out.writeUInt32LE(size, 0)
  out.writeUInt32LE(crc32(out.subarray(0, 4)), 4)
  out.writeUInt32LE(crc32(out.subarray(HEAD)), 8)
  return out
}

function decodeRecord(body: Buffer): TranslogRecord {
  const items: Buffer[] = []
  const count = body.readUInt32LE(9)
  let at = 13
  for (let i = 0; i < count; i++) {
    const length = body.readUInt32LE(at)
    items.push(body.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return { kind: body.readUInt8(0) === 1 ? 'upsert' : 'remove', sequence: body.readDoubleLE(1), items }
}

/** Records of a translog file. */
export interface TranslogPart {
  records: TranslogRecord[]
  /** Where the last complete one ends. */
  end: number
  /** Whether reading stopped at a record that was written in full and has changed since; a crash leaves only a cut one. */
  isDamaged: boolean
}

/** The records of a translog file from an offset to the last one that is complete. */
export function readTranslog(path: string, from: number): TranslogPart {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { records: [], end: from, isDamaged: false }
    throw error
  }
  try {
    const size = fstatSync(file).size
    if (size <= from) return { records: [], end: from, isDamaged: false }
    const bytes = Buffer.allocUnsafe(size - from)
    const read = readSync(file, bytes, 0, bytes.length, from)
    const records: TranslogRecord[] = []
    let at = 0
    let isDamaged = false
    while (at + HEAD <= read) {
      const head = bytes.subarray(at, at + HEAD)
      const length = head.readUInt32LE(0)
      // A crash may leave a file longer than what was written to it, filled with zeros.
      const isBlank = head.every((byte) => byte === 0)
      isDamaged = !isBlank && (length > MAX_RECORD || crc32(head.subarray(0, 4)) !== head.readUInt32LE(4))
      if (isBlank || isDamaged || at + HEAD + length > read) break
      const body = bytes.subarray(at + HEAD, at + HEAD + length)
      isDamaged = crc32(body) !== head.readUInt32LE(8)
      if (isDamaged) break
      records.push(decodeRecord(body))
      at += HEAD + length
    }
    return { records, end: from + at, isDamaged }
  } finally {
    closeSync(file)
  }
}

/** A translog file that operations are appended to. */
export interface TranslogFile {
  readonly size: number
  /** Resolves once the bytes are on disk. */
  append(bytes: Buffer): Promise<void>
  close(): void
}

/** Opens a file to append after `end`: anything after it is part of a record that was never confirmed. */
export function openTranslogFile(path: string, end: number): TranslogFile {
  const file = openSync(path, 'a+')
  ftruncateSync(file, end)
  let size = end

  return {
    get size() {
      return size
    },
    append: (bytes) =>
      new Promise((resolve, reject) => {
        // A partial record in the middle would hide everything after it.
        const fail = (error: Error) => {
          ftruncateSync(file, size)
          reject(error)
        }
        write(file, bytes, 0, bytes.length, null, (failure, written) => {
          if (failure) return fail(failure)
          if (written !== bytes.length) return fail(new Error('the translog could not be written in full'))
          fdatasync(file, (unsynced) => {
            if (unsynced) return fail(unsynced)
            size += written
            resolve()
          })
        })
      }),
    close: () => closeSync(file),
  }
}

/** The write-ahead log of an index: every operation is on disk here before it is confirmed, whatever the segments hold. */
export interface Translog {
  append(bytes: Buffer): Promise<void>
  /** Starts a new generation and returns its number: later operations are not part of the current flush. */
  roll(): number
  /** Keeps generations from this one on until called with null: a rebuild has to see changes made while it runs. */
  retainFrom(generation: number | null): void
  /** The first generation to keep when segments contain everything before `generation`. */
  firstNeeded(generation: number): number
  close(): void
}

/** Continues a generation after the offset `end`. */
export function openTranslog(folder: string, from: { generation: number; end: number }): Translog {
  let { generation } = from
  let file = openTranslogFile(translogPath(folder, generation), from.end)
  let retained = Infinity
  return {
    append: (bytes) => file.append(bytes),
    roll() {
      generation++
      file.close()
      file = openTranslogFile(translogPath(folder, generation), 0)
      return generation
    },
    retainFrom(first) {
      retained = first ?? Infinity
    },
    firstNeeded: (first) => Math.min(first, retained),
    close: () => file.close(),
  }
}
