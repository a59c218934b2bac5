import { existsSync } from 'node:fs'
import { hasBit } from '../query/bitsets.ts'
import type { Snapshot } from '../query/snapshot.ts'
import type { Segment } from '../segment/segment-reader.ts'
import { makeLive } from '../threads/build.ts'
import { blockOf } from '../threads/messages.ts'
import { reportDamage } from './damage.ts'
import { commitStamp, readCommit, translogPath } from './commit-point.ts'
import {
  applyRecords,
  knownWordsOf,
  loadState,
  memoryPart,
  replayTranslogs,
  snapshotOf,
  vocabularyOf,
  type IndexState,
} from './index-state.ts'
import { selectInMemoryMerge } from './merge-policy.ts'
import { readTranslog } from './translog.ts'

/** Follows an index that another process writes. */
export interface IndexReader {
  /** The index as of the last reopen; null while there is none. */
  snapshot(): Snapshot | null
  /** Whether a part is left out because a file was lost or damaged, until the index is rebuilt. */
  isDamaged(): boolean
  /** Near-real-time reopen: checks the folder of the index for changes; true when there were any. */
  reopen(folder: string): boolean
  close(): void
}

export interface ReaderOptions {
  name: string
  documentMemory: number
  onChange: (snapshot: Snapshot) => void
}

/** The position of a reader: a commit point, and an offset in the translogs after it. */
interface Position {
  folder: string
  stamp: string
  state: IndexState
  generation: number
  end: number
}

export function openReader({ name, documentMemory, onChange }: ReaderOptions): IndexReader {
  const open = new Map<number, Segment>()
  let position: Position | null = null
  let snapshot: Snapshot | null = null

  function show(state: IndexState): void {
    snapshot = snapshotOf(state)
    onChange(snapshot)
  }

  function closeExcept(used: ReadonlySet<number>): void {
    for (const [id, segment] of open) {
      if (used.has(id)) continue
      open.delete(id)
      segment.close()
    }
  }

  /** Reads a new commit point; segments that it shares with the last one stay open. */
  function load(folder: string, stamp: string): boolean {
    const commit = readCommit(folder)
    if (!commit) return false
    const state = loadState({ name, folder, commit, open, documentMemory, isThorough: false })
    reportDamage(state.damage)
    position = { folder, stamp, state, ...replayTranslogs(state, folder, commit.translog) }
    show(state)
    closeExcept(new Set(commit.segments.map((segment) => segment.id)))
    return true
  }

  function close(): void {
    closeExcept(new Set())
    position = null
    snapshot = null
  }

  function reopen(folder: string): boolean {
    const stamp = commitStamp(folder)
    if (stamp === '') {
      const hadOne = position !== null
      close()
      return hadOne
    }
    try {
      if (!position || position.stamp !== stamp) return load(folder, stamp)
      if (!followTranslog(position)) return false
      show(position.state)
      return true
    } catch (error) {
      // The writer may have replaced a file between two reads: the next poll finds the new one.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
      throw error
    }
  }

  return { snapshot: () => snapshot, isDamaged: () => position !== null && position.state.damage.length > 0, reopen, close }
}

/** Applies what was appended to the translogs since; true when there was something. */
function followTranslog(position: Position): boolean {
  const { state, folder } = position
  let isChanged = false
  for (;;) {
    const read = readTranslog(translogPath(folder, position.generation), position.end)
    position.end = read.end
    if (read.records.length > 0) {
      applyRecords(state, read.records)
      isChanged = true
    }
    if (!existsSync(translogPath(folder, position.generation + 1))) break
    position.generation++
    position.end = 0
  }
  if (isChanged) mergeInMemory(state)
  return isChanged
}

/** In the calling thread and immediately: a reader has no merge scheduler. */
function mergeInMemory(state: IndexState): void {
  for (let chosen = selectInMemoryMerge(state.memory); chosen; chosen = selectInMemoryMerge(state.memory)) {
    const merged = new Set(chosen)
    const items = chosen.flatMap(({ segment, deleted }) =>
      Array.from({ length: segment.count }, (_, at) => at).flatMap((at) =>
        deleted && hasBit(deleted, at) ? [] : [Buffer.from(segment.json(at))],
      ),
    )
    const made = makeLive(state.config.schema, blockOf(items), knownWordsOf(vocabularyOf(state)))
    state.memory = [...(made ? [memoryPart(made)] : []), ...state.memory.filter((part) => !merged.has(part))]
  }
}
