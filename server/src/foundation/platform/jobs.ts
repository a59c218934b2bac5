import { aggregateOf, type EventPayloads, type EventType } from '#events'
import type { Db, Log, Scope } from './scope.ts'
import { withTrace } from './tracing.ts'

/** Scope of a job: one transaction, without a site or a principal. */
export type JobScope = Pick<Scope, 'now' | 'db' | 'emit' | 'requestId' | 'log'>

/** Context of the part that runs outside the transaction. */
export interface CallContext {
  /** The same on every attempt of this event or job for this handler: the idempotency key for external calls. */
  key: string
  /** From 1. */
  attempt: number
  /** Aborts when the worker stops or the handler takes too long. */
  signal: AbortSignal
  /** Reads only. */
  db: Db
  now: Date
  log: Log
}

/**
 * `call` talks to external systems, outside any transaction, and may run again after a crash: use `context.key`. `commit`
 * then writes the result in one transaction, together with the record that this handler has handled this event: exactly
 * once. A failed attempt is retried with growing pauses, then becomes a dead letter.
 */
export interface Work<Payload, Answer> {
  call?: (context: CallContext, payload: Payload) => Promise<Answer>
  commit: (scope: JobScope, payload: Payload, answer: Answer) => Promise<void>
}

export interface Handler {
  /** "payments.request": module and verb; part of the exactly-once record, so never rename one lightly. */
  name: string
  type: EventType
  work: Work<never, never>
}
/**
 * Jobs whose calls may hang have places of their own in the worker: `mail` those to the mail server, `strangers` those to servers that
 * strangers name, `services` those to other services that no order waits for, such as the carrier. `patient` jobs write to tables that may
 * fail or hang for hours while the shop sells: one of each module runs at a time, and a failing `commit` is retried as long as a failing `call`. All
 * others share their places with the events.
 */
export type Lane = 'mail' | 'patient' | 'services' | 'strangers'
export interface Job {
  name: string
  work: Work<never, never>
  lane?: Lane
}

/** Context of a long job. Only the `write` of a checkpoint runs in a transaction. */
export interface LongContext extends Omit<CallContext, 'signal'> {
  /** Aborts when the job is cancelled, when the worker stops, or when another worker has taken over. */
  signal: AbortSignal
  /** The last checkpoint; undefined at the beginning. */
  state: unknown
  /** Shown to operators, updated at most about once a second. */
  progress(done: number, total: number): void
  /**
   * Stores where the job continues after a crash. The writes of `write` commit together with it: each step takes effect
   * exactly once. Throws when the job's lease was lost.
   */
  checkpoint(state: unknown, write?: (scope: JobScope) => Promise<void>): Promise<void>
}

/** Runs as long as it needs, and again from its last checkpoint after a failure or a crash. */
export interface LongWork<Payload> {
  run: (context: LongContext, payload: Payload) => Promise<void>
}
export interface LongJob {
  name: string
  run: (context: LongContext, payload: never) => Promise<void>
}
export type AnyJob = Job | LongJob
export interface Schedule {
  name: string
  everyMs: number
  /** One transaction, in one worker at a time. */
  run: (scope: JobScope) => Promise<void>
}

/** Mails that are sent at the same time, each on a connection of its own. */
export const mailsAtOnce = 5

/** `export const handlers = [on('payment.requested', 'payments.request', { call, commit })]` in a module's jobs.ts. */
export function on<Type extends EventType, Answer = undefined>(type: Type, name: string, work: Work<EventPayloads[Type], Answer>): Handler {
  return { type, name, work: work as unknown as Work<never, never> }
}

/** Leaves the work on an event to a job in the lane `patient`, so that the handler itself touches no table that may hang. It goes before jobs that are not about an event. */
export function onPatiently<Type extends EventType, Answer = undefined>(
  type: Type,
  name: string,
  work: Work<EventPayloads[Type], Answer>,
): { handler: Handler; job: Job } {
  return {
    handler: on(type, name, { commit: ({ db, requestId: key }, payload) => enqueue(db, { name, key, payload, priority: 1 }) }),
    job: job<EventPayloads[Type], Answer>(name, work, 'patient'),
  }
}

/** `export const jobs = [job<Payload>('checkout.release-hold', { commit })]`; enqueued by `enqueue`. */
export function job<Payload extends object, Answer = undefined>(name: string, work: Work<Payload, Answer>, lane?: Lane): Job
/** A long job: `job<Payload>('listing.reindex-all', { run })`. */
export function job<Payload extends object>(name: string, work: LongWork<Payload>): LongJob
export function job(name: string, work: object, lane?: Lane): AnyJob {
  return { name, ...('run' in work ? work : { work, ...(lane && { lane }) }) } as AnyJob
}

/** `export const schedules = [every(60_000, 'payments.reconcile', async (scope) => …)]`. */
export function every(everyMs: number, name: string, run: Schedule['run']): Schedule {
  return { name, everyMs, run }
}

export interface JobOrder {
  name: string
  /** One waiting job per name and key: enqueueing again replaces its time and payload. */
  key: string
  payload: object
  runAt?: Date
  /** Among due jobs, higher priorities run first; default 0. */
  priority?: number
  /** A waiting job of this name and key keeps its time if that is earlier. */
  keepsEarlier?: boolean
  /** A job of this name and key that waits or runs goes on undisturbed: for schedules, whose long jobs may take longer than their interval. */
  unlessPending?: boolean
}

/** Enqueues a job in the caller's transaction. */
export async function enqueue(
  db: Db,
  { name, key, payload, runAt, priority = 0, keepsEarlier = false, unlessPending = false }: JobOrder,
): Promise<void> {
  await db.run(put, [name, key, JSON.stringify(withTrace(payload)), runAt ?? null, priority, keepsEarlier, unlessPending])
}
const put = {
  name: 'platform.put-job',
  text: `insert into platform.job (name, key, payload, run_at, priority) values ($1, $2, $3, coalesce($4, now()), $5)
    on conflict (name, key) do update set payload = excluded.payload, priority = excluded.priority,
      run_at = case when $6 then least(platform.job.run_at, excluded.run_at) else excluded.run_at end,
      round = platform.job.round + 1, attempts = 0, parked_at = null, last_error = null, checkpoint = null,
      progress_done = null, progress_total = null, cancel_requested_at = null, finished_at = null, outcome = null
    where not $7 or platform.job.finished_at is not null or platform.job.parked_at is not null`,
}

/** Removes a waiting job. */
export async function dequeue(db: Db, name: string, key: string): Promise<void> {
  await db.run({ name: 'platform.drop-job', text: 'delete from platform.job where name = $1 and key = $2' }, [name, key])
}

/** Adds to the payload of a job that waits, if there is one; it is due now. */
export async function complete(db: Db, { name, key, payload }: Pick<JobOrder, 'name' | 'key' | 'payload'>): Promise<void> {
  await db.run(completed, [name, key, JSON.stringify(withTrace(payload))])
}
const completed = {
  name: 'platform.complete-job',
  text: `update platform.job set payload = payload || $3::jsonb, run_at = now(), round = round + 1 where name = $1 and key = $2`,
}

/** Removes the dead letters of this name from before: those that name a person must not stay until an operator looks at them. */
export async function dropDeadLetters(db: Db, name: string, before: Date): Promise<void> {
  await db.run(dropParked, [name, before])
}
const dropParked = { name: 'platform.drop-dead-letters', text: 'delete from platform.job where name = $1 and parked_at < $2' }

/** Removes the waiting jobs and the dead letters of this name whose payload names this visitor; with `until`, those whose time is not later. */
export async function dequeueOfVisitor(
  db: Db,
  { name, visitorId, timeField, until }: { name: string; visitorId: string; timeField: string; until: string | null },
): Promise<void> {
  await db.run(dropOfVisitor, [name, visitorId, timeField, until])
}
/**
 * Those of these visitors for whom an event of this type, or the job that it leads to, waits, or the job is a dead letter; or for whom the
 * job that emits the event is due.
 */
export async function visitorsWaiting(
  db: Db,
  { type, job, emittedBy }: { type: EventType; job: string; emittedBy: string },
  visitorIds: readonly string[],
): Promise<string[]> {
  const aggregates = visitorIds.map((visitorId) => aggregateOf({ visitorId, withdrawn: [] }))
  const found = await db.rows<{ visitorId: string }>(ofVisitors, [job, visitorIds, type, aggregates, emittedBy])
  return found.map(({ visitorId }) => visitorId)
}
// One statement, because the event is handled and the job enqueued in the same moment.
const ofVisitors = {
  name: 'platform.visitors-waiting',
  text: `select payload ->> 'visitorId' as "visitorId" from platform.job
      where (name = $1 or name = $5 and run_at <= now()) and payload ->> 'visitorId' = any($2)
    union
    select payload ->> 'visitorId' from platform.outbox where type = $3 and aggregate = any($4) and done_at is null and parked_at is null`,
}
const dropOfVisitor = {
  name: 'platform.drop-jobs-of-visitor',
  text: `delete from platform.job where name = $1 and payload ->> 'visitorId' = $2
    and ($4::timestamptz is null or (payload ->> $3::text)::timestamptz <= $4)`,
}
