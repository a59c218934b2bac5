import type { Part } from '../query/snapshot.ts'
import type { Maker } from '../threads/makers.ts'
import { writeCommit, type CommitPoint } from './commit-point.ts'
import { deleteUnreferenced } from './file-deleter.ts'
import type { IndexState } from './index-state.ts'
import { writeDeleted } from './live-docs.ts'
import type { Translog } from './translog.ts'
import type { Fence } from './writer-lease.ts'

export interface WriterLimits {
  /** Documents in memory from which they are flushed to a segment on disk. */
  flushDocuments: number
  /** Documents of one segment of a rebuild. */
  segmentDocuments: number
  /** Bytes of a segment's documents up to which they are kept in memory rather than read from its file. */
  documentMemory: number
}

/** The state that the parts of an index writer share. */
export interface WriterContext {
  readonly name: string
  readonly folder: string
  readonly limits: WriterLimits
  readonly maker: Maker
  readonly fence: Fence
  readonly translog: Translog
  /** The index as it is now. A rebuild puts another object in its place. */
  state: IndexState
  /** The last commit point. */
  commit: CommitPoint
  /** Segments in memory that are being merged or flushed. */
  readonly merging: Set<Part>
  isClosed: boolean
  allocateId(): number
  /** Shows the state to searches from now on. */
  publish(): void
}

/**
 * Makes the segments of the state a commit point: the new writer or reader starts from here, and reads the translogs
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
  }
  writeCommit(folder, context.commit)
  deleteUnreferenced(folder, context.commit, context.commit.translog, false)
}

/** Background work has no caller to fail for. */
export function warn(context: WriterContext, error: unknown): void {
  if (!context.isClosed) process.emitWarning(error instanceof Error ? error : String(error), { code: 'SEARCH_COMPACTION' })
}
