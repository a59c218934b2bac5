import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { deletedPath, documentsPath, segmentPath, type CommitPoint } from './commit-point.ts'
import { discard } from './durable-files.ts'

/** How long other threads and processes have to open the files of the previous commit point. */
const RETIRE_MS = 10_000

/**
 * Deletes files that the commit point does not name, and translogs before `firstTranslog`: at once when an index
 * is opened, because only a crash can have left them; later when the commit point was replaced.
 */
export function deleteUnreferenced(folder: string, commit: CommitPoint, firstTranslog: number, isOpening: boolean): void {
  const named = new Set(
    commit.segments
      .flatMap(({ id, deleted }) => [
        segmentPath(folder, id),
        documentsPath(folder, id),
        ...(deleted === null ? [] : [deletedPath(folder, id, deleted)]),
      ])
      .map((path) => basename(path)),
  )
  for (const file of readdirSync(folder)) {
    const generation = /^translog-(\d+)\.bin$/.exec(file)?.[1]
    const isOldTranslog = generation !== undefined && Number(generation) < firstTranslog
    const isUnnamed = (file.startsWith('segment-') || file.endsWith('.part')) && !named.has(file)
    if (!isOldTranslog && !isUnnamed) continue
    if (isOpening) discard(join(folder, file))
    else setTimeout(() => discard(join(folder, file)), RETIRE_MS).unref()
  }
}
