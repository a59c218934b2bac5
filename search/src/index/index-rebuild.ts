import type { Part } from '../query/snapshot.ts'
import { documentSource, openSegment } from '../segment/segment-reader.ts'
import type { Shape } from '../segment/schema.ts'
import type { FileInMaking, Maker } from '../threads/makers.ts'
import type { Made } from '../threads/messages.ts'
import { SearchRequestError, type SearchDocument } from '../types.ts'
import { documentsPath } from './commit-point.ts'
import { partOf, removeFrom } from './index-state.ts'

/** One row of segment files of a full build, filled one after another. */
export interface Lane {
  add(batch: Buffer[]): Promise<void>
  finish(): Promise<void>
}

export interface LaneOptions {
  folder: string
  shape: Shape
  lane: number
  /** Every segment of the build so far; finished ones are added. */
  made: Part[]
  maker: Maker
  limits: { segmentDocuments: number; documentMemory: number }
  nextId: () => number
}

/** Files of a full build, one after another: each is closed when it is large enough. */
export function openLane({ folder, shape, lane, made, maker, limits, nextId }: LaneOptions): Lane {
  let id = nextId()
  let file: Promise<FileInMaking> | null = null
  async function finish(): Promise<void> {
    if (!file) return
    const segment = await (await file).finish(shape.language === 'de' ? made.map((part) => part.segment) : [])
    file = null
    if (!segment) return
    const part = openFile(folder, id, segment, limits.documentMemory)
    // The copy that came last counts.
    for (let at = 0; at < part.segment.count; at++) if (made.length > 0) removeFrom(made, part.segment.ids.get(at))
    made.push(part)
    id = nextId()
  }
  return {
    async add(batch) {
      file ??= maker.file(folder, id, shape, lane)
      if ((await (await file).add(batch)) >= limits.segmentDocuments) await finish()
    },
    finish,
  }
}

/** A segment that was written, as a part of its index. */
export function openFile(folder: string, id: number, made: NonNullable<Made>, documentMemory: number): Part {
  return partOf(openSegment(id, made.buffer, documentSource(documentsPath(folder, id), documentMemory)), null)
}

export function checkDocument(document: SearchDocument): void {
  if (typeof document !== 'object' || document === null || typeof document.objectID !== 'string' || document.objectID === '') {
    throw new SearchRequestError('a document needs an objectID, a text that is not empty')
  }
}

/** Every living document of some parts. */
export function* everything(parts: readonly Part[]): Generator<SearchDocument> {
  for (const { segment, deleted } of parts) {
    for (let at = 0; at < segment.count; at++) if (!deleted || (deleted[at >>> 5]! & (1 << (at & 31))) === 0) yield segment.document(at)
  }
}
