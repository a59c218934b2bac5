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
  /** Milliseconds to wait for a live holder to release before the lease is refused; 0. */
  waitMs?: number
}

/** One grant in the directory: a file whose name contains the epoch and whose mtime is the last heartbeat. */
interface Grant {
  epoch: number
  holder: ProcessIdentity | null
  isReleased: boolean
  heartbeat: number
}

const NAME = /^writer-(\d+)\.lease$/
const pathOf = (directory: string, epoch: number): string => join(directory, `writer-${epoch}.lease`)

/**
 * A lease in the directory itself, for the processes of one machine. Whichever process creates the file of the next epoch
 * holds it. A holder whose process is known to be dead is replaced at once; any other (frozen, in another container, on a
 * system without /proc) once its heartbeat has not changed for `ttlMs` by the waiting process's clock.
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

/** Whether a grant may be replaced; false when it is no longer the newest. @throws WriterLeaseHeldError when its holder is alive */
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
    // A file whose content was not written, or not yet: only its heartbeat counts.
    const content = text === '' ? null : (JSON.parse(text) as { holder: ProcessIdentity; isReleased: boolean })
    return { epoch, holder: content?.holder ?? null, isReleased: content?.isReleased ?? false, heartbeat: mtimeMs }
  } catch (error) {
    if (error instanceof SyntaxError) return { epoch, holder: null, isReleased: false, heartbeat: statSync(path).mtimeMs }
    // Deleted by the holder of a later epoch between two reads.
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
        // A missing file is not recreated: the lease belongs to another holder.
        truncateSync(path)
        writeFileSync(path, JSON.stringify({ holder: ownIdentity(), isReleased: true }), { flag: 'r+' })
      } catch {
        // The directory is gone, or another process holds the lease: there is nothing to release.
      }
    },
  }
}
