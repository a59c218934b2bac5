import { copyFileSync, existsSync, linkSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { deletedPath, documentsPath, readCommit, segmentPath, translogPath, writeCommit, type CommitPoint } from './commit-point.ts'
import { DamagedFileError } from './damage.ts'
import { syncDirectory, writeDurably } from './durable-files.ts'
import { readTranslog } from './translog.ts'

/**
 * Crash recovery, first half: brings an index as its last writer left it into the directory of a new epoch. The segments
 * named by the commit point are immutable and are linked, not copied. Of each translog from the commit point on,
 * the complete part is copied; a record cut off by the crash was never confirmed. A lost or damaged log is noted in the
 * commit point; lost and damaged segments are found when the index is opened, where `replayTranslogs` is the second half.
 */
export function recoverIndex(from: string, to: string): void {
  const commit = readCommit(from)
  if (!commit) return
  mkdirSync(to)
  for (const { id, deleted } of commit.segments) {
    link(segmentPath(from, id), to)
    link(documentsPath(from, id), to)
    if (deleted !== null) link(deletedPath(from, id, deleted), to)
  }
  const damage = [...commit.damage]
  for (let generation = commit.translog; generation <= lastTranslog(from, commit); generation++) {
    const path = translogPath(from, generation)
    if (!existsSync(path)) {
      damage.push(`${path} is missing`)
      break
    }
    const { end, isDamaged } = readTranslog(path, 0)
    writeDurably(translogPath(to, generation), readFileSync(path).subarray(0, end))
    if (!isDamaged) continue
    damage.push(new DamagedFileError(path, 'a record of it has another checksum').message)
    break
  }
  syncDirectory(to)
  writeCommit(to, { ...commit, damage })
}

/** The last generation there has to be. An index without changes may have been left before its first log was made. */
function lastTranslog(folder: string, { translog, sequence }: CommitPoint): number {
  const generations = readdirSync(folder).map((name) => Number(/^translog-(\d+)\.bin$/.exec(name)?.[1] ?? 0))
  return Math.max(sequence > 0 ? translog : 0, ...generations)
}

/** A missing file is found when the index is opened. */
function link(path: string, folder: string): void {
  const target = join(folder, basename(path))
  try {
    linkSync(path, target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    // Not every file system has hard links.
    if (!['EPERM', 'ENOTSUP', 'EXDEV', 'ENOSYS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    copyFileSync(path, target)
  }
}
