import { mkdirSync, readFileSync, readdirSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { discard } from './durable-files.ts'
import { isCertainlyGone, ownIdentity, type ProcessIdentity } from './process-identity.ts'
import { WriterFencedError, WriterLeaseHeldError, type HeldLease, type LeaseRequest, type WriterLease } from './writer-lease.ts'

export interface FileLeaseOptions {
  /** Milliseconds between two heartbeats of the holder; 1,000. */
  heartbeatMs?: number
  /** Milliseconds without a heartbeat after which the holder counts as gone; 10,000. */
  ttlMs?: number
  /** Milliseconds to wait for a live holder to let go before the lease is refused; 0. */
  waitMs?: number
}

/** One grant, as it stands in the directory: a file whose name has the epoch and whose time is the last heartbeat. */
interface Grant {
  epoch: number
  holder: ProcessIdentity | null
  isReleased: boolean
  heartbeat: number
}

const NAME = /^writer-(\d+)\.lease$/
const pathOf = (directory: string, epoch: number): string => join(directory, `writer-${epoch}.lease`)

/**
 * A lease in the directory itself, for the processes of one machine. Whoever creates the file of the next epoch has
 * it. A holder whose process is certainly gone is replaced at once; any other (frozen, in another container, on a
 * system without /proc) once its heartbeat has stood still for `ttlMs` by the clock of the one that waits.
 */
export function fileLease({ heartbeatMs = 1_000, ttlMs = 10_000, waitMs = 0 }: FileLeaseOptions = {}): WriterLease {
  return {
    async acquire({ directory, above }: LeaseRequest): Promise<HeldLease> {
      mkdirSync(directory, { recursive: true })
      for (;;) {
        const newest = newestGrant(directory)
        if (newest && !(await isFree(directory, newest, { heartbeatMs, ttlMs, waitMs }))) continue
        const epoch = Math.max(newest?.epoch ?? 0, above) + 1
        if (claim(directory, epoch)) return hold(directory, epoch, heartbeatMs)
      }
    },
  }
}

/** Whether a grant may be replaced; false when it no longer is the newest. @throws WriterLeaseHeldError when its holder is alive */
async function isFree(directory: string, seen: Grant, { heartbeatMs, ttlMs, waitMs }: Required<FileLeaseOptions>): Promise<boolean> {
  const from = performance.now()
  let { heartbeat } = seen
  let beatAt = from
  for (;;) {
    const grant = newestGrant(directory)
    if (grant?.epoch !== seen.epoch) return false
    if (grant.isReleased || (grant.holder !== null && isCertainlyGone(grant.holder))) return true
    const now = performance.now()
    if (grant.heartbeat !== heartbeat) {
      heartbeat = grant.heartbeat
      beatAt = now
      if (now - from >= waitMs) throw new WriterLeaseHeldError(`${nameOf(grant.holder)} writes to ${directory}`)
    } else if (now - beatAt >= ttlMs) return true
    await sleep(Math.min(heartbeatMs, ttlMs) / 10)
  }
}

const nameOf = (holder: ProcessIdentity | null): string =>
  holder ? `another process (${holder.pid} on ${holder.host})` : 'another process'

function newestGrant(directory: string): Grant | null {
  const epoch = Math.max(0, ...epochsIn(directory))
  return epoch === 0 ? null : readGrant(directory, epoch)
}

const epochsIn = (directory: string): number[] =>
  readdirSync(directory).flatMap((name) => {
    const found = NAME.exec(name)
    return found ? [Number(found[1])] : []
  })

function readGrant(directory: string, epoch: number): Grant | null {
  const path = pathOf(directory, epoch)
  try {
    const { mtimeMs } = statSync(path)
    const text = readFileSync(path, 'utf8')
    // A file whose content is not written yet, or was never: only its heartbeat tells.
    const content = text === '' ? null : (JSON.parse(text) as { holder: ProcessIdentity; isReleased: boolean })
    return { epoch, holder: content?.holder ?? null, isReleased: content?.isReleased ?? false, heartbeat: mtimeMs }
  } catch (error) {
    if (error instanceof SyntaxError) return { epoch, holder: null, isReleased: false, heartbeat: statSync(path).mtimeMs }
    // Removed by the holder of a later epoch between two looks.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Creates the file of an epoch; false when another process was first. */
function claim(directory: string, epoch: number): boolean {
  try {
    writeFileSync(pathOf(directory, epoch), JSON.stringify({ holder: ownIdentity(), isReleased: false }), { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  const others = epochsIn(directory)
  if (others.some((other) => other > epoch)) {
    discard(pathOf(directory, epoch))
    return false
  }
  for (const older of others) if (older < epoch) discard(pathOf(directory, older))
  return true
}

function hold(directory: string, epoch: number, heartbeatMs: number): HeldLease {
  const path = pathOf(directory, epoch)
  const lost = new AbortController()
  const isNewest = () => Math.max(0, ...epochsIn(directory)) === epoch
  const timer = setInterval(() => {
    try {
      const now = new Date()
      utimesSync(path, now, now)
      if (isNewest()) return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return
    }
    clearInterval(timer)
    lost.abort()
  }, heartbeatMs)
  timer.unref()
  return {
    epoch,
    lost: lost.signal,
    async confirm() {
      if (!lost.signal.aborted && isNewest()) return
      lost.abort()
      throw new WriterFencedError(epoch)
    },
    async release() {
      clearInterval(timer)
      try {
        // A file that is missing is not made again: the epoch is somebody else's business then.
        truncateSync(path)
        writeFileSync(path, JSON.stringify({ holder: ownIdentity(), isReleased: true }), { flag: 'r+' })
      } catch {
        // The directory is gone, or somebody else has the lease: there is nothing to let go of.
      }
    },
  }
}
