import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { configOf, type Snapshot } from '../query/snapshot.ts'
import { schemaKey } from '../segment/schema.ts'
import type { Maker } from '../threads/makers.ts'
import type { IndexSettings, Rule, SearchDocument, Synonym } from '../types.ts'
import { emptyCommit, firstIdOf, readCommit, writeCommit } from './commit-point.ts'
import { writeDocuments } from './documents-writer.ts'
import { syncDirectory } from './durable-files.ts'
import { reportDamage } from './damage.ts'
import { deleteUnreferenced } from './file-deleter.ts'
import { checkDocument, liveDocuments, rebuildIndex, type RebuildOptions } from './index-rebuild.ts'
import { loadState, replayTranslogs, snapshotOf } from './index-state.ts'
import { mergeScheduler, type MergeScheduler } from './merge-scheduler.ts'
import { openTranslog } from './translog.ts'
import { openWriteQueue, type WriteQueue } from './write-queue.ts'
import { commit, type WriterContext, type WriterLimits } from './writer-context.ts'
import type { Fence } from './writer-lease.ts'

/** The only writer of an index. When a call resolves, its change is on disk and visible. */
export interface IndexWriter {
  snapshot(): Snapshot
  /** Whether a part is left out because a file was lost or damaged, until the index is rebuilt. */
  isDamaged(): boolean
  upsert(documents: readonly SearchDocument[]): Promise<void>
  remove(objectIDs: readonly string[]): Promise<void>
  replaceAll(options: RebuildOptions): Promise<number>
  configure(change: ConfigChange): Promise<void>
  close(): Promise<void>
}

export interface ConfigChange {
  settings?: IndexSettings
  synonyms?: Synonym[]
  rules?: Rule[]
}

export interface WriterOptions {
  name: string
  /** Folder of the index in the directory of the writer's epoch; created if missing. */
  folder: string
  limits: WriterLimits
  maker: Maker
  fence: Fence
  /** Called with every state that becomes visible to searches. */
  onChange: (snapshot: Snapshot) => void
}

/** Opens an index from its last commit point and its translogs. */
export function openWriter(options: WriterOptions): IndexWriter {
  let snapshot: Snapshot
  const context = openContext(options, (changed) => {
    snapshot = changed
    options.onChange(changed)
  })
  let turn: Promise<unknown> = Promise.resolve()
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = turn.then(work, work)
    turn = next.catch(() => undefined)
    return next
  }
  const merges = mergeScheduler({ context, queue: () => queue, inTurn })
  const queue: WriteQueue = openWriteQueue({
    context,
    apply: (batch) => writeDocuments(context, batch, merges.mergeInMemory),
    afterBatch: merges.flushWhenFull,
  })
  context.publish()

  return {
    snapshot: () => snapshot,
    isDamaged: () => context.state.damage.length > 0,
    async upsert(documents) {
      const items = documents.map((document) => {
        checkDocument(document)
        return { objectID: document.objectID, bytes: Buffer.from(JSON.stringify(document)) }
      })
      await queue.submit({ kind: 'upsert', items })
    },
    async remove(objectIDs) {
      await queue.submit({ kind: 'remove', items: objectIDs.map((objectID) => ({ objectID, bytes: Buffer.from(objectID) })) })
    },
    replaceAll: (rebuild) => inTurn(() => rebuildIndex(context, queue, rebuild)),
    configure: (change) => inTurn(() => configure(context, queue, merges, change)),
    async close() {
      context.isClosed = true
      await queue.drain()
      await merges.settle()
      await turn
      context.translog.close()
      for (const part of context.state.disk) part.segment.close()
    },
  }
}

function openContext({ name, folder, limits, maker, fence }: WriterOptions, onPublish: (snapshot: Snapshot) => void): WriterContext {
  mkdirSync(folder, { recursive: true })
  let found = readCommit(folder)
  if (!found) {
    found = emptyCommit({})
    writeCommit(folder, found)
    syncDirectory(join(folder, '..'))
  }
  const state = loadState({ name, folder, commit: found, open: new Map(), documentMemory: limits.documentMemory, isThorough: true })
  if (state.damage.length > found.damage.length) {
    const loaded = new Set(state.disk.map((part) => part.segment.id))
    found = { ...found, segments: found.segments.filter(({ id }) => loaded.has(id)), damage: state.damage }
    writeCommit(folder, found)
  }
  reportDamage(state.damage)
  const translog = openTranslog(folder, replayTranslogs(state, folder, found.translog))
  deleteUnreferenced(folder, found, found.translog, true)
  let nextId = firstIdOf(fence.epoch)
  return {
    name,
    folder,
    limits,
    maker,
    fence,
    translog,
    state,
    commit: found,
    merging: new Set(),
    isClosed: false,
    allocateId: () => nextId++,
    publish() {
      onPublish(snapshotOf(this.state))
    },
  }
}

/** Settings that change the schema rebuild the index from its documents; others are stored and take effect. */
async function configure(context: WriterContext, queue: WriteQueue, merges: MergeScheduler, change: ConfigChange): Promise<void> {
  const { config, disk, memory } = context.state
  const { settings = config.settings, synonyms = config.synonyms, rules = config.rules } = change
  const next = configOf(settings, synonyms, rules)
  if (schemaKey(settings) !== schemaKey(config.settings) && disk.length + memory.length > 0) {
    await merges.flush()
    await rebuildIndex(context, queue, { documents: liveDocuments(context.state.disk), settings })
    return
  }
  await context.fence.confirm()
  const { state } = context
  state.config = next
  state.sequence++
  state.updatedAt = new Date().toISOString()
  context.publish()
  commit(context, context.commit.translog)
}
