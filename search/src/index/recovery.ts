import { copyFileSync, existsSync, linkSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { deletedPath, documentsPath, readCommit, segmentPath, translogPath, writeCommit } from './commit-point.ts'
import { syncDirectory, writeDurably } from './durable-files.ts'
import { readTranslog } from './translog.ts'

/**
 * Crash recovery, first half: brings an index as its last writer left it into the directory of a new epoch. The segments
 * named by the commit point are immutable and are linked, not copied. Of each translog from the commit point on,
 * the complete part is copied; a record cut off by the crash was never confirmed. The second half is
 * `replayTranslogs`, when the index is opened.
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
  for (let generation = commit.translog; existsSync(translogPath(from, generation)); generation++) {
    const { end } = readTranslog(translogPath(from, generation), 0)
    writeDurably(translogPath(to, generation), readFileSync(translogPath(from, generation)).subarray(0, end))
  }
  syncDirectory(to)
  writeCommit(to, commit)
}

function link(path: string, folder: string): void {
  const target = join(folder, basename(path))
  try {
    linkSync(path, target)
  } catch (error) {
    // Not every file system has hard links.
    if (!['EPERM', 'ENOTSUP', 'EXDEV', 'ENOSYS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    copyFileSync(path, target)
  }
}
