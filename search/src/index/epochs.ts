import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { syncDirectory } from './durable-files.ts'
import { recoverIndex } from './recovery.ts'
import { WriterFencedError, type Fence, type HeldLease } from './writer-lease.ts'

/**
 * Each writer writes to a directory of its own, named after its epoch, and readers follow the highest one. A replaced
 * writer therefore cannot harm its successor, whatever it still does: its commits, translogs and deletions stay
 * in a directory that nobody reads any more. While a successor takes over, its directory ends in ".opening"; from
 * that moment on its predecessor confirms nothing.
 */
const NAME = /^epoch-(\d+)(\.opening)?$/

/** How long readers have to open the files of a new epoch before those of the previous one are deleted. */
const RETIRE_MS = 10_000

interface Epoch {
  epoch: number
  isOpening: boolean
}

function listEpochs(directory: string): Epoch[] {
  return readdirSync(directory).flatMap((name) => {
    const found = NAME.exec(name)
    return found ? [{ epoch: Number(found[1]), isOpening: found[2] !== undefined }] : []
  })
}

export const epochPath = (directory: string, epoch: number): string => join(directory, `epoch-${epoch}`)

/** The highest epoch started in a directory; 0 when there is none. */
export const highestEpoch = (directory: string): number => Math.max(0, ...listEpochs(directory).map(({ epoch }) => epoch))

/** The epoch that readers follow; null when there is none yet. */
export function currentEpoch(directory: string): number | null {
  const complete = listEpochs(directory).filter(({ isOpening }) => !isOpening)
  return complete.length === 0 ? null : Math.max(...complete.map(({ epoch }) => epoch))
}

/** The fence of a writer that holds a lease. */
export function fenceOf(directory: string, lease: HeldLease, onLost: (error: WriterFencedError) => void): Fence {
  const { epoch } = lease
  const lost = new WriterFencedError(epoch)
  lease.lost.addEventListener('abort', () => onLost(lost), { once: true })
  function check(): void {
    if (!lease.lost.aborted && highestEpoch(directory) === epoch) return
    onLost(lost)
    throw lost
  }
  return {
    epoch,
    check,
    async confirm() {
      check()
      await lease.confirm().catch((error: unknown) => {
        if (error instanceof WriterFencedError) onLost(lost)
        throw error
      })
    },
  }
}

/**
 * Starts an epoch with everything its predecessor confirmed, and returns its directory.
 * @throws WriterFencedError when a later one has started
 */
export function beginEpoch(directory: string, fence: Fence): string {
  const complete = epochPath(directory, fence.epoch)
  const opening = `${complete}.opening`
  mkdirSync(opening)
  // Read after the directory exists: anything the last writer confirmed before it saw the directory is found.
  fence.check()
  const source = currentEpoch(directory)
  if (source !== null) {
    const from = epochPath(directory, source)
    for (const index of readdirSync(from)) recoverIndex(join(from, index), join(opening, index))
    syncDirectory(opening)
  }
  fence.check()
  renameSync(opening, complete)
  syncDirectory(directory)
  retire(directory, fence.epoch, source)
  return complete
}

/** Deletes earlier epochs: at once if no reader follows them, a little later if readers may be opening them. */
function retire(directory: string, epoch: number, source: number | null): void {
  // Until format 3 the indexes were in the directory itself.
  const isOld = (name: string) => name.startsWith('index-') || name === 'writer.lock'
  if (source !== null)
    for (const name of readdirSync(directory).filter(isOld)) rmSync(join(directory, name), { recursive: true, force: true })
  for (const old of listEpochs(directory)) {
    if (old.epoch >= epoch) continue
    const path = epochPath(directory, old.epoch) + (old.isOpening ? '.opening' : '')
    const remove = () => rmSync(path, { recursive: true, force: true })
    if (old.epoch === source) setTimeout(remove, RETIRE_MS).unref()
    else remove()
  }
}
