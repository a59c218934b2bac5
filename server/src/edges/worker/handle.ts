import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CallContext,
  type Handler,
  type Job,
  type JobScope,
  type Pool,
  PermanentError,
  type Work,
  asCommand,
  isUnavailable,
  logOf,
  wake,
  withoutAddresses,
} from '#platform'
import { metrics } from '../../foundation/platform/metrics.ts'
import { traced, tracedAfter, withoutTrace } from '../../foundation/platform/tracing.ts'
import type { Claimed } from './claim.ts'
import { commitTogether } from './commit-together.ts'
import { retryPauseMs } from './retry-pause.ts'

export interface Table {
  handlers: readonly Handler[]
  jobs: readonly Job[]
}

/** A failing write may be wrong for good, but an external system may only be down, so it is retried for about a day. */
const triesOfCommit = 12
const triesOfCall = 300
const maxCallMs = 15_000
/**
 * Time that a call has to end once its signal has aborted. Together they are shorter than a lease, and this is less than what the
 * supervisor waits for a process that stops.
 */
const maxEndingMs = 8000

const note = {
  name: 'worker.note-handled',
  text: 'insert into platform.handled (event_id, handler) values ($1, $2) on conflict do nothing',
}
const known = { name: 'worker.is-handled', text: 'select 1 from platform.handled where event_id = $1 and handler = $2' }
const done = {
  name: 'worker.event-done',
  text: 'update platform.outbox set done_at = now(), locked_until = null where id = $1 and done_at is null',
}
/** Ends the chance of a first attempt to commit all effects at once. */
const separate = {
  name: 'worker.handle-separately',
  text: 'update platform.outbox set attempts = greatest(attempts, 2) where id = $1 and done_at is null',
}
const drop = { name: 'worker.job-done', text: 'delete from platform.job where name = $1 and key = $2 and round = $3' }
const renewed = {
  name: 'worker.job-renewed',
  text: 'update platform.job set locked_until = null, attempts = 0 where name = $1 and key = $2 and round > $3',
}
const failed = {
  event: {
    name: 'worker.event-failed',
    text: `update platform.outbox set locked_until = null, available_at = now() + $2 * interval '1 millisecond', last_error = $3,
      parked_at = case when $4 then now() end where id = $1::uuid and done_at is null`,
  },
  job: {
    name: 'worker.job-failed',
    text: `update platform.job set locked_until = null, run_at = now() + $4 * interval '1 millisecond', last_error = $5,
      parked_at = case when $6 then now() end where name = $1 and key = $2 and round = $3`,
  },
}

/** An external call failed, or the commit of a patient job: worth many more attempts than an error in our other writes. */
class CallFailed extends Error {}

/** The number of attempts after which this error makes its work a dead letter. */
function triesOf(error: unknown): number {
  if (error instanceof PermanentError || (error instanceof CallFailed && error.cause instanceof PermanentError)) return 1
  if (isUnavailable(error)) return Infinity
  return error instanceof CallFailed ? triesOfCall : triesOfCommit
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Handles one piece of work with all its handlers; never throws for the work's own failure, which is recorded. */
export async function handle(pool: Pool, table: Table, carried: Claimed, signal: AbortSignal): Promise<void> {
  const { payload, traceparent } = withoutTrace(carried.payload)
  const name = `${carried.kind} ${carried.type}`
  const attributes = { 'purlin.attempt': carried.attempt }
  await tracedAfter(traceparent, name, { kind: 'consumer', attributes }, () => handleClaimed(pool, table, { ...carried, payload }, signal))
}

async function handleClaimed(pool: Pool, { handlers, jobs }: Table, claimed: Claimed, signal: AbortSignal): Promise<void> {
  try {
    if (claimed.kind === 'job') {
      const found = jobs.find(({ name }) => name === claimed.type)
      // During a deployment a worker of the next release may know it.
      if (!found) throw new CallFailed(`No module defines the job ${claimed.type}`)
      const work = doWork(pool, found.name, found.work, claimed, signal)
      await (found.lane === 'patient' ? patiently(work) : work)
    } else {
      const cares = handlers.filter(({ type }) => type === claimed.type)
      const [only, ...others] = cares
      if (only && others.length === 0) await doWork(pool, only.name, only.work, claimed, signal, true)
      else if (cares.some(({ work }) => work.call)) await handleSeparately(pool, cares, claimed, signal)
      else if (claimed.attempt > 1 || !(await handledAtOnce(pool, cares, claimed))) {
        // An attempt that handles them at once, and whose commit got lost on its way, has either won or can win no more.
        if (await pool.db.run(separate, [claimed.id])) await handleSeparately(pool, cares, claimed, signal)
      }
    }
    noteDelay(claimed.since)
  } catch (error) {
    await fail(pool, claimed, error, signal)
  }
}

/**
 * Each handler in a transaction of its own: a failing one undoes nothing of the others and keeps none of them from running, so handlers of
 * one event must not depend on each other. A retry reaches those that have failed.
 */
async function handleSeparately(pool: Pool, cares: readonly Handler[], claimed: Claimed, signal: AbortSignal): Promise<void> {
  const failures: unknown[] = []
  for (const { name, work } of cares) {
    try {
      await doWork(pool, name, work, claimed, signal)
    } catch (error) {
      if (signal.aborted) throw error
      logOf({ handler: name, work: claimed.id }).warn({ reason: messageOf(error) }, 'a handler failed')
      failures.push(error)
    }
  }
  // While one of them is worth another attempt, the event is.
  if (failures.length > 0) throw failures.reduce((most, each) => (triesOf(each) > triesOf(most) ? each : most))
  await pool.db.run(done, [claimed.id])
}

/** The first attempt: all handlers in one transaction, together with other events. False when a handler has failed. */
async function handledAtOnce(pool: Pool, cares: readonly Handler[], { id: eventId, attempt, payload }: Claimed): Promise<boolean> {
  try {
    const outcome = await commitTogether(pool, 'writes', {
      eventId,
      attempt,
      commit: async (unit) => {
        for (const { name, work } of cares) {
          const log = logOf({ handler: name, work: eventId })
          await work.commit({ ...unit, requestId: `${eventId}/${name}`, log }, payload as never, undefined as never)
        }
      },
    })
    for (const { name } of cares) metrics.work.inc({ handler: name, outcome })
  } catch (error) {
    if (isUnavailable(error)) throw error
    return false
  }
  wakeOrder(payload)
  return true
}

function wakeOrder(payload: object): void {
  const { customerOrderId } = payload as { customerOrderId?: unknown }
  if (typeof customerOrderId === 'string') wake({ topic: 'order', id: customerOrderId })
}

function noteDelay(since: Date): void {
  metrics.workDelay.observe(Math.max(0, Date.now() - since.getTime()) / 1000)
}

/** Runs one handler or job within a span of its own. */
function doWork(...given: Parameters<typeof runWork>): Promise<void> {
  return traced(`handler ${given[1]}`, {}, () => runWork(...given))
}

/** Records the failure of a patient job as that of a call. An unavailable database counts as no failure of the work. */
async function patiently(work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    throw isUnavailable(error) || error instanceof CallFailed ? error : new CallFailed(messageOf(error), { cause: error })
  })
}

/** Runs one handler or job. On completion its claim is done as well; for an event, `isAll` tells whether it was the last handler. */
async function runWork(
  pool: Pool,
  name: string,
  work: Work<never, never>,
  claimed: Claimed,
  signal: AbortSignal,
  isAll = false,
): Promise<void> {
  const log = logOf({ handler: name, work: claimed.id })
  const key = claimed.kind === 'event' ? `${claimed.id}/${name}` : claimed.id
  const payload = claimed.payload as never
  // At the first attempt it cannot have been handled before.
  if (claimed.kind === 'event' && !isAll && claimed.attempt > 1 && (await pool.db.row(known, [claimed.id, name]))) return
  let answer: unknown
  if (work.call) {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(maxCallMs)])
    const called = new AbortController()
    const context: CallContext = { key, attempt: claimed.attempt, signal: limit, db: pool.db, now: new Date(), log }
    try {
      answer = await Promise.race([work.call(context, payload), endingTimeout(limit, called.signal)])
    } catch (error) {
      throw new CallFailed(messageOf(error), { cause: error })
    } finally {
      called.abort()
    }
  }
  // The event's only handler needs no record of its own: the event itself is marked done.
  const commit = isAll
    ? commitTogether(pool, work.call ? 'calls' : 'writes', {
        eventId: claimed.id,
        attempt: claimed.attempt,
        commit: (unit) => work.commit({ ...unit, requestId: key, log }, payload, answer as never),
      })
    : asCommand(pool, async ({ db, emit }) => {
        const scope: JobScope = { now: new Date(), db, emit, requestId: key, log }
        if (!(await isOurs(scope, name, claimed))) return 'known'
        await work.commit(scope, payload, answer as never)
        return 'done'
      })
  const outcome = await commit
  metrics.work.inc({ handler: name, outcome })
  wakeOrder(claimed.payload)
}

/** Rejects if a call disregards its signal: a place that is never released would be lost to all other work. */
async function endingTimeout(limit: AbortSignal, called: AbortSignal): Promise<never> {
  if (!limit.aborted) await once(limit, 'abort', { signal: called })
  await sleep(maxEndingMs, undefined, { signal: called })
  throw new Error('the call did not end with its signal')
}

/** Records the work as done within its own transaction: a concurrent attempt finds the record and stops. */
async function isOurs({ db }: JobScope, handler: string, { kind, id, type, key, round }: Claimed): Promise<boolean> {
  if (kind === 'event') return (await db.run(note, [id, handler])) === 1
  if (await db.run(drop, [type, key, round])) return true
  return (await db.run(renewed, [type, key, round])) === 1
}

async function fail(pool: Pool, claimed: Claimed, error: unknown, signal: AbortSignal): Promise<void> {
  const message = messageOf(error)
  const parks = claimed.attempt >= triesOf(error)
  // Stopping is not a failure: the successor continues at once.
  const pause = signal.aborted ? 0 : retryPauseMs(claimed.attempt, { firstMs: 100, maxMs: error instanceof CallFailed ? 300_000 : 60_000 })
  const log = logOf({ work: claimed.id, type: claimed.type, attempt: claimed.attempt })
  if (parks) log.error({ reason: message }, 'job moved to the dead-letter list')
  else log.warn({ reason: message, pauseMs: pause }, 'work failed, will be tried again')
  metrics.work.inc({ handler: claimed.type, outcome: parks ? 'parked' : 'failed' })
  // Dead letters stay until an operator looks, whoever is erased meanwhile; mail servers repeat the address they refuse.
  const values = [pause, withoutAddresses(message).slice(0, 500), parks]
  const { db } = pool
  const write =
    claimed.kind === 'event'
      ? db.run(failed.event, [claimed.id, ...values])
      : db.run(failed.job, [claimed.type, claimed.key, claimed.round, ...values])
  // If the database is down, the lease expires instead.
  await write.catch(() => undefined)
}
