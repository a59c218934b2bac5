import { configOf, type Part } from '../query/snapshot.ts'
import { hasBit } from '../query/bitsets.ts'
import { schemaOf, type Schema } from '../segment/schema.ts'
import { documentSource, openSegment } from '../segment/segment-reader.ts'
import { hashOf } from '../segment/string-table.ts'
import type { FileInMaking } from '../threads/makers.ts'
import type { Made } from '../threads/messages.ts'
import { SearchRequestError, type IndexSettings, type SearchDocument } from '../types.ts'
import { documentsPath } from './commit-point.ts'
import { replayTranslogs } from './index-state.ts'
import { deleteDocument, partOf } from './live-docs.ts'
import type { WriteQueue } from './write-queue.ts'
import { commit, type WriterContext } from './writer-context.ts'

/** Documents sent to a lane in one batch, and between two calls of `progress`. */
const BATCH = 500

export interface RebuildOptions {
  documents: AsyncIterable<SearchDocument> | Iterable<SearchDocument>
  settings: IndexSettings
  progress?: ((done: number) => void) | undefined
}

/**
 * Builds new segments next to the old ones and swaps them at the end. Changes in the meantime are kept in
 * the translogs and applied to the new segments. Returns the number of documents.
 */
export async function rebuildIndex(context: WriterContext, queue: WriteQueue, options: RebuildOptions): Promise<number> {
  const { translog } = context
  const since = await queue.betweenBatches(() => translog.roll())
  translog.retainFrom(since)
  try {
    const built = await buildSegments(context, options)
    await context.fence.confirm()
    return await queue.betweenBatches(() => replaceIndex(context, built, options.settings, since))
  } finally {
    translog.retainFrom(null)
  }
}

async function buildSegments(context: WriterContext, { documents, settings, progress }: RebuildOptions): Promise<Part[]> {
  const built: Part[] = []
  const schema = schemaOf(settings)
  const lanes = Array.from({ length: context.maker.lanes }, (_, lane) => openLane({ context, schema, lane, built }))
  const batches = lanes.map((): Buffer[] => [])
  let done = 0
  for await (const document of documents) {
    checkDocument(document)
    // Copies of one document go to the same lane, in order.
    const lane = hashOf(document.objectID) % lanes.length
    batches[lane]!.push(Buffer.from(JSON.stringify(document)))
    if (++done % BATCH === 0) progress?.(done)
    if (batches[lane]!.length >= BATCH) await lanes[lane]!.add(batches[lane]!.splice(0))
  }
  for (const [at, batch] of batches.entries()) if (batch.length > 0) await lanes[at]!.add(batch)
  await Promise.all(lanes.map((lane) => lane.finish()))
  progress?.(done)
  return built
}

function replaceIndex(context: WriterContext, built: readonly Part[], settings: IndexSettings, since: number): number {
  const old = context.state
  context.state = {
    ...old,
    config: configOf(settings, old.config.synonyms, old.config.rules),
    disk: built.filter((part) => part.live > 0),
    memory: [],
    sequence: old.sequence + 1,
    updatedAt: new Date().toISOString(),
    // Everything comes from the caller's documents: what was lost is back.
    damage: [],
  }
  const { state } = context
  replayTranslogs(state, context.folder, since)
  state.sequence = Math.max(state.sequence, old.sequence + 1)
  context.publish()
  context.translog.retainFrom(null)
  commit(context, since)
  for (const part of old.disk) part.segment.close()
  return state.disk.reduce((sum, part) => sum + part.live, 0)
}

/** One of the rows of segments built concurrently, each in a thread if there are threads. */
interface Lane {
  add(batch: Buffer[]): Promise<void>
  finish(): Promise<void>
}

interface LaneOptions {
  context: WriterContext
  schema: Schema
  lane: number
  /** All segments of the rebuild so far; finished ones are added. */
  built: Part[]
}

function openLane({ context, schema, lane, built }: LaneOptions): Lane {
  const { folder, limits, maker } = context
  let id = context.allocateId()
  let file: Promise<FileInMaking> | null = null
  async function finish(): Promise<void> {
    if (!file) return
    const made = await (await file).finish(schema.language === 'de' ? built.map((part) => part.segment) : [])
    file = null
    if (!made) return
    const part = openBuilt(folder, id, made, limits.documentMemory)
    // The last copy wins.
    if (built.length > 0) for (let at = 0; at < part.segment.count; at++) deleteDocument(built, part.segment.ids.get(at))
    built.push(part)
    id = context.allocateId()
  }
  return {
    async add(batch) {
      file ??= maker.file(folder, id, schema, lane)
      if ((await (await file).add(batch)) >= limits.segmentDocuments) await finish()
    },
    finish,
  }
}

/** A segment written to disk, as a part of its index. */
export function openBuilt(folder: string, id: number, made: NonNullable<Made>, documentMemory: number): Part {
  return partOf(openSegment(id, made.buffer, documentSource(documentsPath(folder, id), documentMemory)), null)
}

/** @throws SearchRequestError when the document has no `objectID` */
export function checkDocument(document: SearchDocument): void {
  if (typeof document !== 'object' || document === null || typeof document.objectID !== 'string' || document.objectID === '') {
    throw new SearchRequestError('a document needs an objectID, a non-empty string')
  }
}

/** Every document that is not deleted. */
export function* liveDocuments(parts: readonly Part[]): Generator<SearchDocument> {
  for (const { segment, deleted } of parts) {
    for (let at = 0; at < segment.count; at++) if (!deleted || !hasBit(deleted, at)) yield segment.document(at)
  }
}
