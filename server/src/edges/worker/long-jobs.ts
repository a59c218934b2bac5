import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AnyJob,
  type Job,
  type JobScope,
  type LongContext,
  type LongJob,
  type Pool,
  PermanentError,
  asCommand,
  dbOn,
  log,
  logOf,
  withoutAddresses,
} from '#platform'
import { metrics } from '../../foundation/platform/metrics.ts'
import { tracedAfter, withoutTrace } from '../../foundation/platform/tracing.ts'
import { type Held, beat, claimLong, failLong, finishLong, keepCheckpoint, releaseLong } from './long-jobs-store.ts'
import { retryPauseMs } from './retry-pause.ts'

export function isLong(job: AnyJob): job is LongJob {
  return 'run' in job
}

export function isShort(job: AnyJob): job is Job {
  return 'work' in job
}

/** Maximum number of concurrent long jobs per worker; they spend most of their time waiting for the database. */
const atOnce = 4
const beatMs = 1000
const pollMs = 500
const tries = 10
const maxPauseMs = 300_000

class Cancelled extends Error {}
class Lost extends Error {}

/** Claims long jobs as capacity allows, highest priority first, until `signal` aborts; then hands running ones back. */
export async function runLongJobs(pool: Pool, jobs: readonly LongJob[], worker: string, signal: AbortSignal): Promise<void> {
  if (jobs.length === 0) return
  const underWay = new Set<Promise<void>>()
  while (!signal.aborted) {
    try {
      for (const held of await claimLong(dbOn(pool), worker, atOnce - underWay.size, jobs)) {
        const run = runLong(pool, jobs, held, signal).finally(() => underWay.delete(run))
        underWay.add(run)
      }
    } catch (error) {
      log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'the worker cannot reach its long jobs')
    }
    await Promise.race([sleep(pollMs, undefined, { signal }).catch(() => undefined), ...underWay])
  }
  await Promise.all(underWay)
}

/** For tests: runs the due long jobs one after another. Returns their number. */
export async function longJobsOnce(pool: Pool, jobs: readonly LongJob[], worker: string, signal: AbortSignal): Promise<number> {
  if (jobs.length === 0) return 0
  const claimed = await claimLong(dbOn(pool), worker, 1, jobs)
  for (const held of claimed) await runLong(pool, jobs, held, signal)
  return claimed.length
}

/** Runs one long job until it finishes, fails, is cancelled or the worker stops; never throws for the job's own failure. */
async function runLong(pool: Pool, jobs: readonly LongJob[], held: Held, stopping: AbortSignal): Promise<void> {
  const db = dbOn(pool)
  const ended = new AbortController()
  const signal = AbortSignal.any([stopping, ended.signal])
  const jobLog = logOf({ job: held.name, key: held.key, attempt: held.attempt })
  const seen: { progress: [number, number] | null } = { progress: null }
  /** Losing the claim in the database ends the run. */
  const obey = (row: { cancelled: boolean } | undefined) => {
    if (!row) ended.abort(new Lost())
    else if (row.cancelled) ended.abort(new Cancelled())
  }
  const beating = setInterval(() => {
    // If the database is down, the lease expires instead.
    void beat(db, held, seen.progress).then(obey, () => undefined)
  }, beatMs)
  const context: LongContext = {
    key: `${held.name}/${held.key}/${held.round}`,
    attempt: held.attempt,
    signal,
    state: held.checkpoint ?? undefined,
    // With its lanes: reports may take longer than other statements.
    db: pool.db,
    now: new Date(),
    log: jobLog,
    progress: (done, total) => {
      seen.progress = [done, total]
    },
    checkpoint: async (state, write) => {
      signal.throwIfAborted()
      const row = await asCommand(pool, async (unit) => {
        const scope: JobScope = { now: new Date(), db: unit.db, emit: unit.emit, requestId: held.key, log: jobLog }
        const kept = await keepCheckpoint(unit.db, held, state, seen.progress)
        if (kept) await write?.(scope)
        return kept
      })
      obey(row)
      signal.throwIfAborted()
    },
  }
  try {
    const job = jobs.find(({ name }) => name === held.name)
    if (!job) throw new PermanentError(`No module defines the job ${held.name}`)
    // A job that kills its process never reaches its own error handling.
    if (held.attempt > tries) throw new PermanentError('The process ended during this job each time it was tried')
    if (held.cancelled) throw new Cancelled()
    const { payload, traceparent } = withoutTrace(held.payload)
    await tracedAfter(traceparent, `job ${job.name}`, { kind: 'consumer' }, () => job.run(context, payload as never))
    await finishLong(db, held, 'done', seen.progress)
    metrics.work.inc({ handler: held.name, outcome: 'done' })
  } catch (error) {
    clearInterval(beating)
    await settle(pool, held, ended.signal.aborted ? ended.signal.reason : error, stopping).catch(() => undefined)
  } finally {
    clearInterval(beating)
  }
}

async function settle(pool: Pool, held: Held, error: unknown, stopping: AbortSignal): Promise<void> {
  const db = dbOn(pool)
  const jobLog = logOf({ job: held.name, key: held.key, attempt: held.attempt })
  if (error instanceof Cancelled) {
    await finishLong(db, held, 'cancelled', null)
    metrics.work.inc({ handler: held.name, outcome: 'cancelled' })
    return jobLog.info({}, 'a long job was cancelled')
  }
  // Stopping is not a failure, and a job enqueued again in the meantime starts afresh: both continue at once.
  if (error instanceof Lost || stopping.aborted) return releaseLong(db, held)
  const reason = error instanceof Error ? error.message : String(error)
  const isDead = error instanceof PermanentError || held.attempt >= tries
  const pauseMs = retryPauseMs(held.attempt, { firstMs: 500, maxMs: maxPauseMs })
  await failLong(db, held, { pauseMs, reason: withoutAddresses(reason).slice(0, 500), isDead })
  metrics.work.inc({ handler: held.name, outcome: isDead ? 'parked' : 'failed' })
  if (isDead) jobLog.error({ reason }, 'a long job is a dead letter: somebody must look')
  else jobLog.warn({ reason, pauseMs }, 'a long job failed and will be tried again')
}
