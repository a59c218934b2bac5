import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, readSync, write } from 'node:fs'
import { crc32 } from 'node:zlib'

/** One change, as it stands in the log: whole documents, or ids to remove. */
export interface LogRecord {
  sequence: number
  kind: 'upsert' | 'remove'
  /** JSON of documents, or ids. */
  items: Buffer[]
}

const HEAD = 8
const MAX_RECORD = 1 << 30

/** Length, checksum, then kind, sequence and the items each with its length. */
export function encodeRecord(record: LogRecord): Buffer {
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
  out.writeUInt32LE(crc32(out.subarray(HEAD)), 4)
  return out
}

function decodeRecord(body: Buffer): LogRecord {
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

/** Records from a place of a log to the last one that is complete, and where that ends. */
export function readLog(path: string, from: number): { records: LogRecord[]; end: number } {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { records: [], end: from }
    throw error
  }
  try {
    const size = fstatSync(file).size
    if (size <= from) return { records: [], end: from }
    const bytes = Buffer.allocUnsafe(size - from)
    const read = readSync(file, bytes, 0, bytes.length, from)
    const records: LogRecord[] = []
    let at = 0
    while (at + HEAD <= read) {
      const length = bytes.readUInt32LE(at)
      if (length > MAX_RECORD || at + HEAD + length > read) break
      const body = bytes.subarray(at + HEAD, at + HEAD + length)
      if (crc32(body) !== bytes.readUInt32LE(at + 4)) break
      records.push(decodeRecord(body))
      at += HEAD + length
    }
    return { records, end: from + at }
  } finally {
    closeSync(file)
  }
}

/** The end of a log being written. */
export interface LogWriter {
  readonly size: number
  /** Resolves once the bytes are on disk. */
  append(bytes: Buffer): Promise<void>
  close(): void
}

/** Opens a log to go on after `end`: what stands behind is the half of a record that was never confirmed. */
export function openLog(path: string, end: number): LogWriter {
  const file = openSync(path, 'a+')
  ftruncateSync(file, end)
  let size = end

  return {
    get size() {
      return size
    },
    append: (bytes) =>
      new Promise((resolve, reject) => {
        // Half a record in the middle would hide all that comes after it.
        const fail = (error: Error) => {
          ftruncateSync(file, size)
          reject(error)
        }
        write(file, bytes, 0, bytes.length, null, (failure, written) => {
          if (failure) return fail(failure)
          if (written !== bytes.length) return fail(new Error('the log could not be written in full'))
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
