import { setTimeout as sleep } from 'node:timers/promises'
import { isCertainlyGone, ownIdentity, type ProcessIdentity } from '@purlin/search/index/process-identity.ts'
import { WriterFencedError, WriterLeaseHeldError, type HeldLease, type WriterLease } from '@purlin/search/index/writer-lease.ts'
import { type Pool, log, readLease, releaseLease, renewLease, takeLease } from '@purlin/server/foundation/platform/index.ts'

export interface SearchLeaseOptions {
  heartbeatMs?: number
  ttlMs?: number
  /** How long to wait for the last writer to stop, or for its lease to expire. */
  waitMs?: number
}

const name = 'search-index'

/** The search index lease in the shop's database, so that a single worker writes, whatever machine it runs on. */
export function searchLease(
  { db }: Pick<Pool, 'db'>,
  { heartbeatMs = 1_000, ttlMs = 10_000, waitMs = 30_000 }: SearchLeaseOptions = {},
): WriterLease {
  async function tryToTake(above: number): Promise<number | null> {
    const current = await readLease<ProcessIdentity>(db, name)
    const abandoned = current?.holder && isCertainlyGone(current.holder) ? current.epoch : undefined
    return takeLease(db, { name, holder: ownIdentity(), ttlMs, above, abandoned })
  }
  return {
    async acquire({ above }) {
      const until = performance.now() + waitMs
      for (;;) {
        const epoch = await tryToTake(above)
        if (epoch !== null) return hold({ db, epoch, heartbeatMs, ttlMs })
        if (performance.now() >= until) throw new WriterLeaseHeldError(await heldBy(db))
        await sleep(Math.min(250, heartbeatMs))
      }
    },
  }
}

async function heldBy(db: Pool['db']): Promise<string> {
  const holder = (await readLease<ProcessIdentity>(db, name))?.holder
  return `another worker writes the search index${holder ? ` (process ${holder.pid} on ${holder.host})` : ''}`
}

interface Held {
  db: Pool['db']
  epoch: number
  heartbeatMs: number
  ttlMs: number
}

function hold({ db, epoch, heartbeatMs, ttlMs }: Held): HeldLease {
  const lost = new AbortController()
  const timer = setInterval(() => {
    renewLease(db, name, epoch, ttlMs).then(
      (isHeld) => isHeld || lost.abort(),
      // The files are fenced: an unreachable database does not cost anybody their lease at once.
      (error: unknown) => log.warn({ err: error }, 'the lease of the search index was not renewed'),
    )
  }, heartbeatMs)
  timer.unref()
  lost.signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  return {
    epoch,
    lost: lost.signal,
    async confirm() {
      if (await renewLease(db, name, epoch, ttlMs)) return
      lost.abort()
      throw new WriterFencedError(epoch)
    },
    async release() {
      clearInterval(timer)
      await releaseLease(db, name, epoch)
    },
  }
}
