import { existsSync, readFileSync } from 'node:fs'
import { countBits, setBit, bitsFor, hasBit } from '../query/bitsets.ts'
import { configOf, type IndexConfig, type Part, type Snapshot } from '../query/snapshot.ts'
import { documentSource, openSegment, readShared, type Segment } from '../segment/segment-reader.ts'
import { makeLive } from '../threads/build.ts'
import { blockOf, type Made } from '../threads/messages.ts'
import type { SearchDocument } from '../types.ts'
import { readLog, type LogRecord } from './translog.ts'
import { deletedPath, documentsPath, logPath, segmentPath, type Manifest } from './commit-point.ts'

/** An index in memory: segments from disk, then small live ones, oldest first. */
export interface IndexState {
  name: string
  folder: string
  config: IndexConfig
  disk: Part[]
  live: Part[]
  sequence: number
  updatedAt: string
}

let nextLiveId = -1

/** A made segment as the newest part of an index. */
export function livePart(made: NonNullable<Made>): Part {
  return partOf(openSegment(nextLiveId--, made.buffer, made.source), null)
}

export function snapshotOf(state: IndexState): Snapshot {
  return {
    name: state.name,
    config: state.config,
    parts: [...state.disk, ...state.live].filter((part) => part.live > 0),
    version: state.sequence,
    updatedAt: state.updatedAt,
  }
}

export function emptyState(name: string, folder: string, manifest: Manifest): IndexState {
  return {
    name,
    folder,
    config: configOf(manifest.settings, manifest.synonyms, manifest.rules),
    disk: [],
    live: [],
    sequence: manifest.sequence,
    updatedAt: manifest.updatedAt,
  }
}

/** Loads what the manifest names. Segments in `open` are taken as they are. */
export function loadState(
  name: string,
  folder: string,
  manifest: Manifest,
  open: Map<number, Segment>,
  documentMemory: number,
): IndexState {
  const state = emptyState(name, folder, manifest)
  for (const { id, deleted } of manifest.segments) {
    const segment =
      open.get(id) ?? openSegment(id, readShared(segmentPath(folder, id)), documentSource(documentsPath(folder, id), documentMemory))
    open.set(id, segment)
    state.disk.push(partOf(segment, deleted === null ? null : readBits(deletedPath(folder, id, deleted))))
  }
  return state
}

function readBits(path: string): Uint32Array {
  const bytes = readFileSync(path)
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}

export function partOf(segment: Segment, deleted: Uint32Array | null): Part {
  return { segment, deleted, live: segment.count - (deleted ? countBits(deleted) : 0) }
}

/** Marks every live copy of a document as gone. */
export function removeFrom(parts: readonly Part[], objectID: string): void {
  for (const part of parts) {
    const at = part.segment.find(objectID)
    if (at < 0 || (part.deleted && hasBit(part.deleted, at))) continue
    part.deleted ??= bitsFor(part.segment.count)
    setBit(part.deleted, at)
    part.live--
  }
}

/** The larger segments, by whose words the compounds of the smaller ones are taken apart. */
export function vocabularyOf(state: IndexState): Segment[] {
  if (state.config.shape.language !== 'de') return []
  return state.disk.map((part) => part.segment)
}

/** A document to have, or null where one has to go. */
export type Latest = Map<string, Buffer | null>

/** Applies changes in their order, in this thread; documents replaced within the batch are not built twice. */
export function applyRecords(state: IndexState, records: readonly LogRecord[]): void {
  const latest: Latest = new Map()
  for (const record of records) {
    for (const item of record.items) {
      const objectID = record.kind === 'remove' ? item.toString('utf8') : (JSON.parse(item.toString('utf8')) as SearchDocument).objectID
      latest.delete(objectID)
      latest.set(objectID, record.kind === 'remove' ? null : item)
    }
    state.sequence = Math.max(state.sequence, record.sequence)
  }
  const added = [...latest.values()].filter((item) => item !== null)
  const known = vocabularyOf(state)
  const knows = (word: string) => known.some((segment) => segment.surfaces.find(word) >= 0)
  const made = added.length > 0 ? makeLive(state.config.shape, blockOf(added), knows) : null
  put(state, latest.keys(), made && livePart(made))
}

/** Shows a batch: old copies go, the new part comes, in one turn. */
export function put(state: IndexState, gone: Iterable<string>, added: Part | null): void {
  const parts = [...state.disk, ...state.live]
  for (const objectID of gone) removeFrom(parts, objectID)
  state.live = state.live.filter((part) => part.live > 0)
  if (added) state.live.push(added)
  state.updatedAt = new Date().toISOString()
}

const TIER = 8
const LARGEST_TIER = 4

/** Live segments of one size class that should become one, so that a search meets few of them. */
export function smallParts(live: readonly Part[]): Part[] | null {
  const tierOf = (part: Part) => Math.floor(Math.log(Math.max(1, part.segment.count)) / Math.log(TIER))
  for (let tier = 0; tier <= LARGEST_TIER; tier++) {
    const same = live.filter((part) => tierOf(part) <= tier)
    if (same.length >= TIER) return same
  }
  return null
}

/** Reads the logs from the manifest's on; returns the last one and where it ends. */
export function replayLogs(state: IndexState, folder: string, from: number): { generation: number; end: number } {
  const records: LogRecord[] = []
  let generation = from
  let { records: found, end } = readLog(logPath(folder, generation), 0)
  records.push(...found)
  // A log may be empty and the one after it not: only a missing file is the end.
  while (existsSync(logPath(folder, generation + 1))) {
    generation++
    ;({ records: found, end } = readLog(logPath(folder, generation), 0))
    records.push(...found)
  }
  if (records.length > 0) applyRecords(state, records)
  return { generation, end }
}
