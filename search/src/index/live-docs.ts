import { bitsFor, countBits, hasBit, setBit, type Bits } from '../query/bitsets.ts'
import type { Part } from '../query/snapshot.ts'
import type { Segment } from '../segment/segment-reader.ts'
import { deletedPath } from './commit-point.ts'
import { DamagedFileError, readChecked, withChecksum } from './damage.ts'
import { writeDurably } from './durable-files.ts'

/** A segment with its deleted documents; `live` is how many are left. */
export function partOf(segment: Segment, deleted: Bits | null): Part {
  return { segment, deleted, live: segment.count - (deleted ? countBits(deleted) : 0) }
}

/** Deletes every live copy of a document. */
export function deleteDocument(parts: readonly Part[], objectID: string): void {
  for (const part of parts) {
    const at = part.segment.find(objectID)
    if (at < 0 || (part.deleted && hasBit(part.deleted, at))) continue
    part.deleted ??= bitsFor(part.segment.count)
    setBit(part.deleted, at)
    part.live--
  }
}

/** Repeats in `merged` the deletions that `source` received after its live docs were `before`. */
export function carryDeletions(source: Part, before: Bits | null, merged: Part): void {
  const { segment, deleted } = source
  if (!deleted) return
  for (let at = 0; at < segment.count; at++) {
    if (hasBit(deleted, at) && !(before && hasBit(before, at))) deleteDocument([merged], segment.ids.get(at))
  }
}

/** The deleted documents of a segment: one bit each, in an immutable file. */
export function writeDeleted(folder: string, part: Part, generation: number): void {
  writeDurably(deletedPath(folder, part.segment.id, generation), ...withChecksum(new Uint8Array(part.deleted!.buffer as ArrayBuffer)))
}

/** @throws DamagedFileError */
export function readDeleted(folder: string, { id, count }: Segment, generation: number): Bits {
  const path = deletedPath(folder, id, generation)
  const bytes = readChecked(path)
  if (bytes.length !== bitsFor(count).byteLength) throw new DamagedFileError(path, `it is not of ${count} documents`)
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}
