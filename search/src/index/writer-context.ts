import type { Part } from '../query/snapshot.ts'
import type { Maker } from '../threads/makers.ts'
import { writeCommit, type CommitPoint } from './commit-point.ts'
import { deleteUnreferenced } from './file-deleter.ts'
import type { IndexState } from './index-state.ts'
import { writeDeleted } from './live-docs.ts'
import type { Translog } from './translog.ts'
import type { Fence } from './writer-lease.ts'

export interface WriterLimits {
  /** Number of in-memory documents that triggers a flush to disk. */
  flushDocuments: number
  /** Documents per segment of a rebuild. */
  segmentDocuments: number
  /** A segment's documents are kept in memory, rather than read from its file, up to this many bytes. */
  documentMemory: number
}

/** The state shared by the parts of an index writer. */
export interface WriterContext {
  readonly name: string
  readonly folder: string
  readonly limits: WriterLimits
  readonly maker: Maker
  readonly fence: Fence
  readonly translog: Translog
  /** The current index. A rebuild replaces this object. */
  state: IndexState
  /** The last commit point. */
  commit: CommitPoint
  /** In-memory segments being merged or flushed. */
  readonly merging: Set<Part>
  isClosed: boolean
  allocateId(): number
  /** Makes the state visible to searches. */
  publish(): void
}

/**
 * Commits the segments of the state: a new writer or reader starts from here, and reads the translogs
 * from `firstTranslog` on. Call `fence.confirm()` first.
 * @throws WriterFencedError when this writer has been replaced
 */
export function commit(context: WriterContext, firstTranslog: number): void {
  const { folder, fence, state, translog } = context
  fence.check()
  const segments = state.disk.map((part) => {
    if (!part.deleted) return { id: part.segment.id, deleted: null }
    const deleted = context.allocateId()
    writeDeleted(folder, part, deleted)
    return { id: part.segment.id, deleted }
  })
  const { settings, synonyms, rules } = state.config
  context.commit = {
    ...context.commit,
    sequence: state.sequence,
    updatedAt: state.updatedAt,
    settings,
    synonyms,
    rules,
    segments,
    translog: translog.firstNeeded(firstTranslog),
    damage: state.damage,
  }
  writeCommit(folder, context.commit)
  deleteUnreferenced(folder, context.commit, context.commit.translog, false)
}

/** Background work has no caller to report a failure to. */
export function warn(context: WriterContext, error: unknown): void {
  if (!context.isClosed) process.emitWarning(error instanceof Error ? error : String(error), { code: 'SEARCH_COMPACTION' })
}
