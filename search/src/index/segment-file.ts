import { closeSync, fsyncSync, openSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { stampChecksum } from '../segment/segment-format.ts'
import { segmentWriter } from '../segment/segment-writer.ts'
import type { DocumentBytes, Segment } from '../segment/segment-reader.ts'
import type { Schema } from '../segment/schema.ts'
import type { SearchDocument } from '../types.ts'
import { discard, writeAll, writeDurably } from './durable-files.ts'
import { documentsPath, segmentPath } from './commit-point.ts'

const WRITE_BUFFER = 1 << 20

/** A segment being written to disk, one document at a time. */
export interface SegmentFile {
  readonly count: number
  add(document: SearchDocument, json?: Buffer): void
  merge(segment: Segment, deleted: Uint32Array | null): Iterable<void>
  /** Both files are on disk when it returns. */
  finish(known: (word: string) => boolean): { buffer: SharedArrayBuffer; source: DocumentBytes }
  /** Discards the files. */
  abandon(): void
}

export function segmentFile(folder: string, id: number, schema: Schema): SegmentFile {
  const path = documentsPath(folder, id)
  const file = openSync(path, 'w')
  let isOpen = true
  let pending: Buffer[] = []
  let pendingSize = 0
  const written = { size: 0, checksum: 0 }
  const flush = () => {
    const bytes = Buffer.concat(pending)
    writeAll(file, bytes)
    written.size += bytes.length
    written.checksum = crc32(bytes, written.checksum)
    pending = []
    pendingSize = 0
  }
  const writer = segmentWriter(schema, {
    write(json) {
      pending.push(json)
      pendingSize += json.length
      if (pendingSize >= WRITE_BUFFER) flush()
    },
  })
  const close = () => {
    if (isOpen) closeSync(file)
    isOpen = false
  }
  return {
    get count() {
      return writer.count
    },
    add: (document, json) => writer.add(document, json),
    merge: (segment, deleted) => writer.merge(segment, deleted),
    finish(known) {
      flush()
      fsyncSync(file)
      close()
      const buffer = writer.seal(known, written)
      stampChecksum(buffer)
      writeDurably(segmentPath(folder, id), new Uint8Array(buffer))
      return { buffer, source: { kind: 'file', path } }
    },
    abandon() {
      close()
      discard(path)
    },
  }
}
