import { existsSync, statSync } from 'node:fs'
import { hasBit } from '../query/bitsets.ts'
import type { Snapshot } from '../query/snapshot.ts'
import type { Segment } from '../segment/segment-reader.ts'
import { makeLive } from '../threads/build.ts'
import { blockOf } from '../threads/messages.ts'
import { readLog } from './translog.ts'
import { logPath, manifestPath, readManifest } from './commit-point.ts'
import { applyRecords, livePart, loadState, replayLogs, smallParts, snapshotOf, vocabularyOf, type IndexState } from './index-state.ts'

/** In its own thread and at once: a reader has nothing else to bring the small parts together. */
function mergeSmall(state: IndexState): void {
  for (let chosen = smallParts(state.live); chosen; chosen = smallParts(state.live)) {
    const gone = new Set(chosen)
    const items = chosen.flatMap(({ segment, deleted }) =>
      Array.from({ length: segment.count }, (_, at) => at).flatMap((at) =>
        deleted && hasBit(deleted, at) ? [] : [Buffer.from(segment.json(at))],
      ),
    )
    const known = vocabularyOf(state)
    const made = makeLive(state.config.shape, blockOf(items), (word) => known.some((segment) => segment.surfaces.find(word) >= 0))
    state.live = [...(made ? [livePart(made)] : []), ...state.live.filter((part) => !gone.has(part))]
  }
}

/** Follows an index that another process writes. */
export interface IndexReader {
  snapshot(): Snapshot | null
  /** Looks for changes; true when there were some. */
  poll(): boolean
  close(): void
}

export function openReader(name: string, folder: string, documentMemory: number, onChange: (snapshot: Snapshot) => void): IndexReader {
  const open = new Map<number, Segment>()
  let state: IndexState | null = null
  let snapshot: Snapshot | null = null
  let seen = ''
  let generation = 0
  let end = 0

  function stamp(): string {
    try {
      const { ino, mtimeMs, size } = statSync(manifestPath(folder))
      return `${ino} ${mtimeMs} ${size}`
    } catch {
      return ''
    }
  }

  function reload(found: string): boolean {
    const manifest = readManifest(folder)
    if (!manifest) return false
    const next = loadState(name, folder, manifest, open, documentMemory)
    const replayed = replayLogs(next, folder, manifest.log)
    generation = replayed.generation
    end = replayed.end
    state = next
    snapshot = snapshotOf(next)
    onChange(snapshot)
    seen = found
    const used = new Set(manifest.segments.map((segment) => segment.id))
    for (const [id, segment] of open) {
      if (used.has(id)) continue
      open.delete(id)
      segment.close()
    }
    return true
  }

  function follow(): boolean {
    if (!state) return false
    let isChanged = false
    for (;;) {
      const read = readLog(logPath(folder, generation), end)
      end = read.end
      if (read.records.length > 0) {
        applyRecords(state, read.records)
        isChanged = true
      }
      if (!existsSync(logPath(folder, generation + 1))) break
      generation++
      end = 0
    }
    if (isChanged) {
      mergeSmall(state)
      snapshot = snapshotOf(state)
      onChange(snapshot)
    }
    return isChanged
  }

  function poll(): boolean {
    const found = stamp()
    if (found === '') {
      if (state === null) return false
      close()
      state = null
      snapshot = null
      seen = ''
      return true
    }
    try {
      return found === seen ? follow() : reload(found)
    } catch (error) {
      // The writer may have replaced a file between two reads: the next look finds the new one.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
      throw error
    }
  }

  function close(): void {
    for (const segment of open.values()) segment.close()
    open.clear()
  }

  return { snapshot: () => snapshot, poll, close }
}
