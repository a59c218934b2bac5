import type { Db } from './scope.ts'

export const jobStates = ['waiting', 'scheduled', 'running', 'dead', 'finished'] as const
export type JobState = (typeof jobStates)[number]

/** A job as operators see it. */
export interface ListedJob {
  name: string
  key: string
  state: JobState
  priority: number
  attempts: number
  runAt: Date
  progressDone: number | null
  progressTotal: number | null
  hasCheckpoint: boolean
  cancelRequested: boolean
  outcome: 'done' | 'cancelled' | null
  lastError: string | null
  createdAt: Date
}

const stateOf = `case when finished_at is not null then 'finished' when parked_at is not null then 'dead'
  when locked_until > now() then 'running' when run_at > now() then 'scheduled' else 'waiting' end`
const columns = `name, key, state, priority, attempts, run_at as "runAt", progress_done::float8 as "progressDone",
  progress_total::float8 as "progressTotal", checkpoint is not null as "hasCheckpoint", cancel_requested_at is not null as "cancelRequested",
  outcome, last_error as "lastError", created_at as "createdAt"`
const list = {
  name: 'platform.list-jobs',
  text: `select ${columns} from (select *, ${stateOf} as state from platform.job) j
    where ($1::text is null or state = $1) and ($2::text is null or name = $2) order by priority desc, run_at, name, key limit $3`,
}
const one = {
  name: 'platform.find-job',
  text: `select ${columns} from (select *, ${stateOf} as state from platform.job where name = $1 and key = $2) j`,
}
const count = {
  name: 'platform.count-jobs',
  text: `select state, count(*)::int as jobs from (select ${stateOf} as state from platform.job limit 100000) j group by state`,
}

export function listJobs(db: Db, { state, name, limit }: { state?: JobState; name?: string; limit: number }): Promise<ListedJob[]> {
  return db.rows(list, [state ?? null, name ?? null, limit])
}

export function findJob(db: Db, name: string, key: string): Promise<ListedJob | undefined> {
  return db.row(one, [name, key])
}

export async function countJobs(db: Db): Promise<Record<JobState, number>> {
  const found = new Map((await db.rows<{ state: JobState; jobs: number }>(count)).map(({ state, jobs }) => [state, jobs]))
  return Object.fromEntries(jobStates.map((state) => [state, found.get(state) ?? 0])) as Record<JobState, number>
}

/** Enqueues a dead letter again, under the same idempotency key; false when there is none. */
export async function retryJob(db: Db, name: string, key: string): Promise<boolean> {
  const statement = {
    name: 'platform.retry-job',
    text: `update platform.job set parked_at = null, attempts = 0, run_at = now(), locked_until = null where name = $1 and key = $2 and parked_at is not null`,
  }
  return (await db.run(statement, [name, key])) === 1
}

const asksToEnd = {
  name: 'platform.cancel-running-job',
  text: `update platform.job set cancel_requested_at = coalesce(cancel_requested_at, now())
    where name = $1 and key = $2 and parked_at is null and finished_at is null and locked_until > now()`,
}
const takesOff = {
  name: 'platform.cancel-job',
  text: `delete from platform.job where name = $1 and key = $2 and finished_at is null and (locked_until is null or locked_until <= now())`,
}

/** Removes a waiting job or a dead letter, or asks a running long job to stop; null when there is none. */
export async function cancelJob(db: Db, name: string, key: string): Promise<'removed' | 'asked' | null> {
  if ((await db.run(takesOff, [name, key])) === 1) return 'removed'
  return (await db.run(asksToEnd, [name, key])) === 1 ? 'asked' : null
}

/** An event whose handlers failed for good: a dead letter of the outbox. */
export interface DeadEvent {
  id: string
  type: string
  aggregate: string
  attempts: number
  lastError: string | null
  parkedAt: Date
}

export function listDeadEvents(db: Db, limit: number): Promise<DeadEvent[]> {
  const statement = {
    name: 'platform.dead-events',
    text: `select id, type, aggregate, attempts, last_error as "lastError", parked_at as "parkedAt" from platform.outbox
      where parked_at is not null and done_at is null order by parked_at desc limit $1`,
  }
  return db.rows(statement, [limit])
}

/** Redelivers a dead-lettered event to its handlers; false when there is none. Not as a first attempt: some may have handled it. */
export async function retryEvent(db: Db, id: string): Promise<boolean> {
  const statement = {
    name: 'platform.retry-event',
    text: `update platform.outbox set parked_at = null, attempts = 1, available_at = now() where id = $1 and parked_at is not null and done_at is null`,
  }
  return (await db.run(statement, [id])) === 1
}
