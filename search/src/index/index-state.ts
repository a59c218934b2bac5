import { existsSync, statSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { configOf, type IndexConfig, type Part, type Snapshot } from '../query/snapshot.ts'
import { documentSource, openSegment, readShared, type Segment } from '../segment/segment-reader.ts'
import { isIntact } from '../segment/segment-format.ts'
import { makeLive } from '../threads/build.ts'
import { blockOf, type Made } from '../threads/messages.ts'
import type { SearchDocument } from '../types.ts'
import { documentsPath, segmentPath, translogPath, type CommitPoint } from './commit-point.ts'
import { DamagedFileError, damageIn, fileChecksum } from './damage.ts'
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
  /** Descriptions of the lost or damaged files that were skipped. */
  damage: string[]
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
  /** Reads the files of the documents whole and compares their checksums; otherwise only their sizes are. */
  isThorough: boolean
}

/**
 * Loads the segments of a commit point, without the translogs' operations: see `replayTranslogs`. A segment with a lost or
 * damaged file is left out and reported.
 */
export function loadState({ name, folder, commit, open, documentMemory, isThorough }: LoadOptions): IndexState {
  const damage = [...commit.damage]
  const load = (id: number): Segment => {
    const path = segmentPath(folder, id)
    const buffer = readShared(path)
    if (!isIntact(buffer)) throw new DamagedFileError(path, 'its checksum differs')
    const documents = documentsPath(folder, id)
    const source = documentSource(documents, documentMemory)
    const segment = openSegment(id, buffer, source)
    try {
      checkDocuments(segment, documents, isThorough)
    } catch (error) {
      segment.close()
      throw error
    }
    return segment
  }
  const disk = commit.segments.flatMap(({ id, deleted }) => {
    try {
      const segment = open.get(id) ?? load(id)
      open.set(id, segment)
      return [partOf(segment, deleted === null ? null : readDeleted(folder, segment, deleted))]
    } catch (error) {
      damage.push(damageIn(error))
      return []
    }
  })
  const { settings, synonyms, rules, sequence, updatedAt } = commit
  return { name, folder, config: configOf(settings, synonyms, rules), disk, memory: [], sequence, updatedAt, damage }
}

function checkDocuments({ meta, source }: Segment, path: string, isThorough: boolean): void {
  if (!meta.documents) throw new DamagedFileError(path, 'its segment does not describe it')
  const { size, checksum } = meta.documents
  if (source.kind === 'memory' && source.bytes.length === size && crc32(source.bytes) === checksum) return
  if (source.kind === 'file' && statSync(path).size === size && !isThorough) return
  if (source.kind === 'file' && fileChecksum(path).checksum === checksum) return
  throw new DamagedFileError(path, 'its size or checksum differs')
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
