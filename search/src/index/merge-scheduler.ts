import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Part } from '../query/snapshot.ts'
import type { Made, Target } from '../threads/messages.ts'
import { openBuilt } from './index-rebuild.ts'
import { memoryPart, vocabularyOf } from './index-state.ts'
import { carryDeletions } from './live-docs.ts'
import { selectDiskMerge, selectInMemoryMerge } from './merge-policy.ts'
import type { WriteQueue } from './write-queue.ts'
import { commit, warn, type WriterContext } from './writer-context.ts'

/** Runs the flushes, and the merges chosen by the merge policy, while searches and changes continue. */
export interface MergeScheduler {
  /** Merges in-memory segments when there are many; returns at once. */
  mergeInMemory(): void
  /** Flushes and merges on disk when enough documents are in memory; returns at once. */
  flushWhenFull(): void
  /** Writes the documents in memory as a segment on disk and commits; their translog is then no longer needed. */
  flush(): Promise<void>
  /** Resolves when no in-memory merge runs. */
  settle(): Promise<void>
}

export interface MergeSchedulerOptions {
  context: WriterContext
  queue: () => WriteQueue
  /** Flushes, merges on disk, rebuilds and changes of settings run one after another. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>
}

export function mergeScheduler({ context, queue, inTurn }: MergeSchedulerOptions): MergeScheduler {
  let inMemory: Promise<void> | null = null
  let onDisk: Promise<void> | null = null

  async function mergeMemory(): Promise<void> {
    await yieldToOthers()
    try {
      for (;;) {
        const chosen = selectInMemoryMerge(context.state.memory.filter((part) => !context.merging.has(part)))
        if (!chosen || context.isClosed) return
        await mergeParts(context, chosen, { kind: 'memory' })
      }
    } catch (error) {
      warn(context, error)
    } finally {
      inMemory = null
    }
  }

  async function flush(): Promise<void> {
    while (inMemory) await inMemory
    if (context.state.memory.length === 0 && !queue().isWriting) return
    const { flushed, firstTranslog, of } = await queue().betweenBatches(() => {
      const { state } = context
      for (const part of state.memory) context.merging.add(part)
      return { flushed: state.memory, of: state, firstTranslog: context.translog.roll() }
    })
    if (flushed.length === 0) return
    const isMerged = await mergeParts(context, flushed, { kind: 'file', folder: context.folder, id: context.allocateId() })
    if (!isMerged || of !== context.state) return
    await context.fence.confirm()
    commit(context, firstTranslog)
  }

  return {
    flush,
    mergeInMemory: () => void (inMemory ??= mergeMemory()),
    flushWhenFull() {
      if (context.state.memory.reduce((sum, part) => sum + part.segment.count, 0) < context.limits.flushDocuments) return
      onDisk ??= inTurn(async () => {
        await flush()
        await mergeDisk(context)
      })
        .catch((error: unknown) => warn(context, error))
        .finally(() => (onDisk = null))
    },
    settle: async () => void (await inMemory),
  }
}

async function mergeDisk(context: WriterContext): Promise<void> {
  for (;;) {
    const chosen = selectDiskMerge(context.state.disk, context.limits.flushDocuments)
    if (!chosen || context.isClosed) return
    if (!(await mergeParts(context, chosen, { kind: 'file', folder: context.folder, id: context.allocateId() }))) return
    await context.fence.confirm()
    commit(context, context.commit.translog)
  }
}

/** Merges several segments into one and swaps them; false when a rebuild has replaced the index in the meantime. */
async function mergeParts(context: WriterContext, sources: readonly Part[], target: Target): Promise<boolean> {
  const { maker, merging, state } = context
  for (const part of sources) merging.add(part)
  try {
    const before = sources.map(({ deleted }) => deleted?.slice() ?? null)
    const made = await maker.compact(state.config.schema, sources, target, vocabularyOf(state))
    if (state !== context.state) return false
    const merged = made && openMerged(context, made, target)
    if (merged) for (const [at, source] of sources.entries()) carryDeletions(source, before[at]!, merged)
    replaceParts(context, sources, merged, target)
    return true
  } finally {
    for (const part of sources) merging.delete(part)
  }
}

function openMerged(context: WriterContext, made: NonNullable<Made>, target: Target): Part {
  return target.kind === 'memory' ? memoryPart(made) : openBuilt(context.folder, target.id, made, context.limits.documentMemory)
}

function replaceParts(context: WriterContext, sources: readonly Part[], merged: Part | null, target: Target): void {
  const { state } = context
  const memory = state.memory.filter((part) => !sources.includes(part))
  const at = state.disk.findIndex((part) => sources.includes(part))
  const disk = state.disk.filter((part) => !sources.includes(part))
  if (merged && target.kind === 'memory') memory.unshift(merged)
  else if (merged) disk.splice(at < 0 ? disk.length : at, 0, merged)
  state.memory = memory
  state.disk = disk
  context.publish()
  for (const part of sources) part.segment.close()
}
