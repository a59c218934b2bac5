import { existsSync } from 'node:fs'
import { configOf, type IndexConfig, type Part, type Snapshot } from '../query/snapshot.ts'
import { documentSource, openSegment, readShared, type Segment } from '../segment/segment-reader.ts'
import { makeLive } from '../threads/build.ts'
import { blockOf, type Made } from '../threads/messages.ts'
import type { SearchDocument } from '../types.ts'
import { documentsPath, segmentPath, translogPath, type CommitPoint } from './commit-point.ts'
import { deleteDocument, partOf, readDeleted } from './live-docs.ts'
import { readTranslog, type TranslogRecord } from './translog.ts'

/** An index in memory: the segments on disk, then the small in-memory ones, oldest first. */
export interface IndexState {
  name: string
  folder: string
  config: IndexConfig
  disk: Part[]
  memory: Part[]
  sequence: number
  updatedAt: string
}

let nextMemoryId = -1

/** A new in-memory segment; its id is negative, so that it never collides with one on disk. */
export function memoryPart(made: NonNullable<Made>): Part {
  return partOf(openSegment(nextMemoryId--, made.buffer, made.source), null)
}

/** A snapshot for searches, unaffected by later changes. */
export function snapshotOf(state: IndexState): Snapshot {
  return {
    name: state.name,
    config: state.config,
    parts: [...state.disk, ...state.memory].filter((part) => part.live > 0),
    version: state.sequence,
    updatedAt: state.updatedAt,
  }
}

export interface LoadOptions {
  name: string
  folder: string
  commit: CommitPoint
  /** Already open segments, by id; newly opened ones are added. */
  open: Map<number, Segment>
  /** A segment's documents are kept in memory up to this many bytes. */
  documentMemory: number
}

/** Loads the segments of a commit point, without the translogs' operations: see `replayTranslogs`. */
export function loadState({ name, folder, commit, open, documentMemory }: LoadOptions): IndexState {
  const disk = commit.segments.map(({ id, deleted }) => {
    const segment =
      open.get(id) ?? openSegment(id, readShared(segmentPath(folder, id)), documentSource(documentsPath(folder, id), documentMemory))
    open.set(id, segment)
    return partOf(segment, deleted === null ? null : readDeleted(folder, id, deleted))
  })
  const { settings, synonyms, rules, sequence, updatedAt } = commit
  return { name, folder, config: configOf(settings, synonyms, rules), disk, memory: [], sequence, updatedAt }
}

/** The larger segments, whose words are used to split the compounds of the smaller ones. */
export function vocabularyOf(state: IndexState): Segment[] {
  return state.config.schema.language === 'de' ? state.disk.map((part) => part.segment) : []
}

export const knownWordsOf =
  (segments: readonly Segment[]) =>
  (word: string): boolean =>
    segments.some((segment) => segment.surfaces.find(word) >= 0)

/** By id, the new document, or null if it is to be removed. */
export type LatestOperations = Map<string, Buffer | null>

/** Applies operations in order, in the calling thread; of documents replaced within them only the last copy is indexed. */
export function applyRecords(state: IndexState, records: readonly TranslogRecord[]): void {
  const latest: LatestOperations = new Map()
  for (const record of records) {
    for (const item of record.items) {
      const objectID = record.kind === 'remove' ? item.toString('utf8') : (JSON.parse(item.toString('utf8')) as SearchDocument).objectID
      latest.delete(objectID)
      latest.set(objectID, record.kind === 'remove' ? null : item)
    }
    state.sequence = Math.max(state.sequence, record.sequence)
  }
  const added = [...latest.values()].filter((item) => item !== null)
  const made = added.length > 0 ? makeLive(state.config.schema, blockOf(added), knownWordsOf(vocabularyOf(state))) : null
  putOperations(state, latest.keys(), made && memoryPart(made))
}

/** Makes operations visible: deletes old copies and adds the new segment, in one turn. */
export function putOperations(state: IndexState, replaced: Iterable<string>, added: Part | null): void {
  const parts = [...state.disk, ...state.memory]
  for (const objectID of replaced) deleteDocument(parts, objectID)
  state.memory = state.memory.filter((part) => part.live > 0)
  if (added) state.memory.push(added)
  state.updatedAt = new Date().toISOString()
}

/** Crash recovery, second half: applies the translogs from a generation on. Returns the last generation and its end offset. */
export function replayTranslogs(state: IndexState, folder: string, from: number): { generation: number; end: number } {
  let generation = from
  let { records, end } = readTranslog(translogPath(folder, generation), 0)
  // A file may be empty and the next one not: only a missing file is the end.
  while (existsSync(translogPath(folder, generation + 1))) {
    generation++
    const next = readTranslog(translogPath(folder, generation), 0)
    records = [...records, ...next.records]
    end = next.end
  }
  if (records.length > 0) applyRecords(state, records)
  return { generation, end }
}
