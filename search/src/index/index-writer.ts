import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { hasBit } from '../query/bitsets.ts'
import { configOf, type Part, type Snapshot } from '../query/snapshot.ts'
import { shapeKey, shapeOf } from '../segment/schema.ts'
import { hashString } from '../segment/string-table.ts'
import type { Maker } from '../threads/makers.ts'
import type { Made, Target } from '../threads/messages.ts'
import type { IndexSettings, Rule, SearchDocument, Synonym } from '../types.ts'
import { syncDirectory, writeDurably } from './durable-files.ts'
import { checkDocument, everything, openFile, openLane } from './index-rebuild.ts'
import { encodeRecord, openLog, type LogWriter } from './translog.ts'
import { deletedPath, emptyManifest, logPath, readManifest, writeManifest, type Manifest } from './commit-point.ts'
import { newPace } from './batch-pace.ts'
import { livePart, loadState, put, removeFrom, replayLogs, smallParts, snapshotOf, vocabularyOf, type Latest } from './index-state.ts'
import { sweep } from './file-deleter.ts'

export interface WriterLimits {
  /** Live documents from which they are written as a segment. */
  flushDocuments: number
  /** Documents of one segment of a full build. */
  segmentDocuments: number
  /** Bytes of a segment's documents up to which they are kept in memory rather than read from its file. */
  documentMemory: number
}

/** The one writer of an index. */
export interface IndexWriter {
  snapshot(): Snapshot
  upsert(documents: readonly SearchDocument[]): Promise<void>
  remove(objectIDs: readonly string[]): Promise<void>
  replaceAll(
    documents: AsyncIterable<SearchDocument> | Iterable<SearchDocument>,
    settings: IndexSettings,
    progress?: (done: number) => void,
  ): Promise<number>
  configure(change: { settings?: IndexSettings; synonyms?: Synonym[]; rules?: Rule[] }): Promise<void>
  close(): Promise<void>
}

interface Pending {
  kind: 'upsert' | 'remove'
  items: { objectID: string; bytes: Buffer }[]
  done: () => void
  failed: (error: unknown) => void
}

const BATCH_ITEMS = 200
const MERGE_AT = 8
const PROGRESS_EVERY = 500

export interface WriterOptions {
  name: string
  folder: string
  limits: WriterLimits
  maker: Maker
  /** Hears of every change that can be seen. */
  onChange: (snapshot: Snapshot) => void
}

export function openWriter({ name, folder, limits, maker, onChange }: WriterOptions): IndexWriter {
  mkdirSync(folder, { recursive: true })
  let manifest = readManifest(folder)
  if (!manifest) {
    manifest = emptyManifest({})
    writeManifest(folder, manifest)
    syncDirectory(join(folder, '..'))
  }
  let state = loadState(name, folder, manifest, new Map(), limits.documentMemory)
  const replayed = replayLogs(state, folder, manifest.log)
  let generation = replayed.generation
  let log: LogWriter = openLog(logPath(folder, generation), replayed.end)
  let nextId = manifest.nextId
  let snapshot = snapshotOf(state)
  let isClosed = false
  /** Logs from this one on are kept for a build that has to see what changes under it. */
  let keptFrom: number | null = null
  const queue: Pending[] = []
  const pace = newPace()
  let working: Promise<void> | null = null
  let background: Promise<void> | null = null
  const pauses: (() => void)[] = []
  /** Structure changes (flush, merge, build, settings) happen one after another. */
  let chain: Promise<unknown> = Promise.resolve()
  /** Live parts that are being written or merged. */
  const busy = new Set<Part>()
  let merging: Promise<void> | null = null
  sweep(folder, manifest, manifest.log, true)
  onChange(snapshot)

  function publish(): void {
    snapshot = snapshotOf(state)
    onChange(snapshot)
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = chain.then(work, work)
    chain = next.catch(() => undefined)
    return next
  }

  function saveManifest(firstLog: number): void {
    const segments = state.disk.map((part) => {
      let deleted: number | null = null
      if (part.deleted) {
        deleted = nextId++
        writeDurably(deletedPath(folder, part.segment.id, deleted), new Uint8Array(part.deleted.buffer as ArrayBuffer))
      }
      return { id: part.segment.id, deleted }
    })
    const { settings: saved, synonyms, rules } = state.config
    manifest = {
      ...manifest!,
      sequence: state.sequence,
      updatedAt: state.updatedAt,
      settings: saved,
      synonyms,
      rules,
      segments,
      log: firstLog,
      nextId,
    } satisfies Manifest
    writeManifest(folder, manifest)
    sweep(folder, manifest, Math.min(firstLog, keptFrom ?? Infinity), false)
  }

  function rotate(): number {
    generation++
    log.close()
    log = openLog(logPath(folder, generation), 0)
    return generation
  }

  function enqueue(kind: Pending['kind'], items: Pending['items']): Promise<void> {
    if (isClosed) return Promise.reject(new Error('the search engine is closed'))
    if (items.length === 0) return Promise.resolve()
    pace.asked()
    return new Promise<void>((done, failed) => {
      queue.push({ kind, items, done, failed })
      working ??= work()
    }).finally(pace.answered)
  }

  /** Runs when no batch is half way between log and memory; at once when nothing is being written. */
  function betweenBatches<T>(act: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = () => {
        try {
          resolve(act())
        } catch (error) {
          reject(error)
        }
      }
      if (working) pauses.push(run)
      else run()
    })
  }

  /** Takes all that waits, makes it durable with one sync, then visible. */
  async function work(): Promise<void> {
    await yieldToOthers()
    while (queue.length > 0) {
      if (!isClosed) await pace.turn()
      const batch = queue.splice(0)
      try {
        const bytes = batch.map(({ kind, items }) =>
          encodeRecord({ kind, sequence: ++state.sequence, items: items.map((item) => item.bytes) }),
        )
        await log.append(Buffer.concat(bytes))
        await applyBatch(batch)
        for (const one of batch) one.done()
      } catch (error) {
        for (const one of batch) one.failed(error)
      }
      for (const run of pauses.splice(0)) run()
      if (state.live.reduce((sum, part) => sum + part.segment.count, 0) >= limits.flushDocuments) startBackground()
    }
    // In the same turn as the last look at the queue: nothing can slip in between and wait for ever.
    working = null
    for (const run of pauses.splice(0)) run()
  }

  async function applyBatch(batch: readonly Pending[]): Promise<void> {
    let latest: Latest = new Map()
    for (const { kind, items } of batch) {
      for (const { objectID, bytes } of items) {
        latest.delete(objectID)
        latest.set(objectID, kind === 'remove' ? null : bytes)
        if (latest.size < BATCH_ITEMS) continue
        await applyLatest(latest)
        latest = new Map()
        await yieldToOthers()
      }
    }
    if (latest.size > 0) await applyLatest(latest)
  }

  async function applyLatest(latest: Latest): Promise<void> {
    const added = [...latest.values()].filter((item) => item !== null)
    const made = added.length > 0 ? await maker.live(state.config.shape, added, vocabularyOf(state)) : null
    put(state, latest.keys(), made && livePart(made))
    publish()
    merging ??= mergeLive()
  }

  /** Many small live parts become few; searches go on, and so do changes. */
  async function mergeLive(): Promise<void> {
    await yieldToOthers()
    try {
      for (;;) {
        const chosen = smallParts(state.live.filter((part) => !busy.has(part)))
        if (!chosen || isClosed) return
        await replaceBy(chosen, { kind: 'memory' })
      }
    } catch (error) {
      warn(error)
    } finally {
      merging = null
    }
  }

  function warn(error: unknown): void {
    if (!isClosed) process.emitWarning(error instanceof Error ? error : String(error), { code: 'SEARCH_COMPACTION' })
  }

  /** Makes one part of several and puts it in their place, with what was deleted meanwhile. */
  async function replaceBy(gone: readonly Part[], target: Target): Promise<boolean> {
    for (const part of gone) busy.add(part)
    const of = state
    try {
      const before = gone.map(({ deleted }) => deleted?.slice() ?? null)
      const made = await maker.compact(state.config.shape, gone, target, vocabularyOf(state))
      if (of !== state) return false
      const part = made && madePart(made, target)
      gone.forEach(({ segment, deleted }, index) => {
        if (!part || !deleted) return
        for (let at = 0; at < segment.count; at++) {
          if (hasBit(deleted, at) && !(before[index] && hasBit(before[index], at))) removeFrom([part], segment.ids.get(at))
        }
      })
      replaceParts(gone, part)
      return true
    } finally {
      for (const part of gone) busy.delete(part)
    }
  }

  function madePart(made: NonNullable<Made>, target: Target): Part {
    return target.kind === 'memory' ? livePart(made) : openFile(folder, target.id, made, limits.documentMemory)
  }

  function startBackground(): void {
    background ??= inTurn(async () => {
      await flush()
      await mergeDisk()
    })
      .catch(warn)
      .finally(() => (background = null))
  }

  /** Live documents become a segment on disk; their log is no longer needed. */
  async function flush(): Promise<void> {
    while (merging) await merging
    if (state.live.length === 0 && !working) return
    const { flushed, firstLog, of } = await betweenBatches(() => {
      const taken = { flushed: state.live, of: state, firstLog: rotate() }
      for (const part of state.live) busy.add(part)
      return taken
    })
    if (flushed.length === 0) return
    if (!(await replaceBy(flushed, { kind: 'file', folder, id: nextId++ })) || of !== state) return
    saveManifest(keptFrom === null ? firstLog : Math.min(keptFrom, firstLog))
  }

  function replaceParts(gone: readonly Part[], made: Part | null): void {
    const isLive = made !== null && made.segment.id < 0
    state.live = state.live.filter((part) => !gone.includes(part))
    const at = state.disk.findIndex((part) => gone.includes(part))
    const kept = state.disk.filter((part) => !gone.includes(part))
    if (made && isLive) state.live.unshift(made)
    else if (made) kept.splice(at < 0 ? kept.length : at, 0, made)
    state.disk = kept
    publish()
    for (const part of gone) part.segment.close()
  }

  /** Segments of one size class become one; so do those of which most is deleted. */
  async function mergeDisk(): Promise<void> {
    for (;;) {
      const wasteful = state.disk.filter((part) => part.live < part.segment.count / 2)
      const tiers = new Map<number, Part[]>()
      for (const part of state.disk) {
        const tier = Math.floor(Math.log(Math.max(1, part.live / limits.flushDocuments)) / Math.log(MERGE_AT))
        tiers.set(tier, [...(tiers.get(tier) ?? []), part])
      }
      const chosen = wasteful.length > 0 ? wasteful : [...tiers.values()].find((parts) => parts.length >= MERGE_AT)
      if (!chosen || isClosed) return
      if (!(await replaceBy(chosen, { kind: 'file', folder, id: nextId++ }))) return
      saveManifest(manifest!.log)
    }
  }

  async function build(
    documents: AsyncIterable<SearchDocument> | Iterable<SearchDocument>,
    next: IndexSettings,
    progress?: (done: number) => void,
  ): Promise<number> {
    const shape = shapeOf(next)
    const since = await betweenBatches(rotate)
    keptFrom = since
    const made: Part[] = []
    const lanes = Array.from({ length: maker.lanes }, (_, lane) =>
      openLane({ folder, shape, lane, made, maker, limits, nextId: () => nextId++ }),
    )
    try {
      let done = 0
      const batches = lanes.map((): Buffer[] => [])
      for await (const document of documents) {
        checkDocument(document)
        // Copies of one document meet in one lane, in their order.
        const lane = hashString(document.objectID) % lanes.length
        batches[lane]!.push(Buffer.from(JSON.stringify(document)))
        if (++done % PROGRESS_EVERY === 0) progress?.(done)
        if (batches[lane]!.length >= PROGRESS_EVERY) await lanes[lane]!.add(batches[lane]!.splice(0))
      }
      for (const [at, batch] of batches.entries()) if (batch.length > 0) await lanes[at]!.add(batch)
      await Promise.all(lanes.map((lane) => lane.finish()))
      progress?.(done)
      return await betweenBatches(() => {
        const old = state
        state = {
          ...old,
          config: configOf(next, old.config.synonyms, old.config.rules),
          disk: made.filter((part) => part.live > 0),
          live: [],
          sequence: old.sequence + 1,
          updatedAt: new Date().toISOString(),
        }
        // What changed under the build stands in the logs kept for it.
        replayLogs(state, folder, since)
        state.sequence = Math.max(state.sequence, old.sequence + 1)
        publish()
        keptFrom = null
        saveManifest(since)
        for (const part of old.disk) part.segment.close()
        return state.disk.reduce((sum, part) => sum + part.live, 0)
      })
    } finally {
      keptFrom = null
    }
  }

  async function configure(change: { settings?: IndexSettings; synonyms?: Synonym[]; rules?: Rule[] }): Promise<void> {
    const { config } = state
    const next = configOf(change.settings ?? config.settings, change.synonyms ?? config.synonyms, change.rules ?? config.rules)
    if (change.settings && shapeKey(change.settings) !== shapeKey(config.settings) && state.disk.length + state.live.length > 0) {
      await flush()
      const { disk } = state
      await build(everything(disk), change.settings)
      return
    }
    state.config = next
    state.sequence++
    state.updatedAt = new Date().toISOString()
    publish()
    saveManifest(manifest!.log)
  }

  return {
    snapshot: () => snapshot,
    upsert: async (documents) =>
      enqueue(
        'upsert',
        documents.map((document) => {
          checkDocument(document)
          const bytes = Buffer.from(JSON.stringify(document))
          return { objectID: document.objectID, bytes }
        }),
      ),
    remove: (objectIDs) =>
      enqueue(
        'remove',
        objectIDs.map((objectID) => ({ objectID, bytes: Buffer.from(objectID) })),
      ),
    replaceAll: (documents, next, progress) => inTurn(() => build(documents, next, progress)),
    configure: (change) => inTurn(() => configure(change)),
    async close() {
      isClosed = true
      await working?.catch(() => undefined)
      await merging
      await chain
      log.close()
      for (const part of state.disk) part.segment.close()
    },
  }
}

export const hasIndex = (folder: string): boolean => existsSync(join(folder, 'manifest.json'))
