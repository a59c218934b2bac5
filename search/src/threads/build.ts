import { segmentWriter } from '../segment/segment-writer.ts'
import { openSegment } from '../segment/segment-reader.ts'
import type { Schema } from '../segment/schema.ts'
import { segmentFile } from '../index/segment-file.ts'
import type { SearchDocument } from '../types.ts'
import { itemsOf, type JsonBlock, type Made, type SharedSegment, type Target } from './messages.ts'

/** Building segments, independent of the caller and the thread. */
export type KnownWord = (word: string) => boolean

export function makeLive(schema: Schema, block: JsonBlock, known: KnownWord): Made {
  const writer = segmentWriter(schema, { write: () => undefined })
  for (const item of itemsOf(block)) writer.add(JSON.parse(item.toString('utf8')) as SearchDocument, item)
  if (writer.count === 0) return null
  const bytes = new Uint8Array(new SharedArrayBuffer(block.bytes.length))
  bytes.set(block.bytes)
  return { buffer: writer.seal(known), source: { kind: 'memory', bytes } }
}

/** Merges the live documents of some segments into one; `pause` is called regularly to yield. */
export async function makeCompact(
  schema: Schema,
  parts: readonly (SharedSegment & { deleted: Uint32Array | null })[],
  target: Target,
  known: KnownWord,
  pause: () => Promise<void>,
): Promise<Made> {
  const pieces: Buffer[] = []
  const file = target.kind === 'file' ? segmentFile(target.folder, target.id, schema) : null
  const memory = file ? null : segmentWriter(schema, { write: (json) => void pieces.push(json) })
  const into = file ?? memory!
  try {
    for (const { id, buffer, source, deleted } of parts) {
      const segment = openSegment(id, buffer, source)
      try {
        for (const _ of into.merge(segment, deleted)) await pause()
      } finally {
        segment.close()
      }
    }
    if (into.count === 0) {
      file?.abandon()
      return null
    }
    if (file) return file.finish(known)
  } catch (error) {
    file?.abandon()
    throw error
  }
  const whole = Buffer.concat(pieces)
  const bytes = new Uint8Array(new SharedArrayBuffer(whole.length))
  bytes.set(whole)
  return { buffer: memory!.seal(known), source: { kind: 'memory', bytes } }
}
