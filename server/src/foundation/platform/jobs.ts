import type { EventPayloads, EventType } from '#events'
import type { Db, Log, Scope } from './scope.ts'

/** What a job gets: one transaction, but no site and nobody who acts. */
export type JobScope = Pick<Scope, 'now' | 'db' | 'emit' | 'requestId' | 'log'>

/** What the part outside the transaction gets. */
export interface CallContext {
  /** The same on every try of this event or job for this handler: the key for the other side. */
  key: string
  /** From 1. */
  attempt: number
  /** Aborts when the worker stops or the handler takes too long. */
  signal: AbortSignal
  /** Questions only. */
  db: Db
  now: Date
  log: Log
}

/**
 * `call` talks to the outside, in no transaction, and may run again after a crash: use `context.key`. `commit` then writes
 * what came of it in one transaction, together with the note that this handler has handled this event: exactly once.
 * What throws is tried again with growing pauses, then parked.
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
export interface Job {
  name: string
  work: Work<never, never>
}
export interface Schedule {
  name: string
  everyMs: number
  /** One transaction, in one worker at a time. */
  run: (scope: JobScope) => Promise<void>
}

/** `export const handlers = [on('order.placed', 'payments.request', { call, commit })]` in a module's jobs.ts. */
export function on<Type extends EventType, Answer = undefined>(type: Type, name: string, work: Work<EventPayloads[Type], Answer>): Handler {
  return { type, name, work: work as unknown as Work<never, never> }
}

/** `export const jobs = [job<Payload>('checkout.release-hold', { commit })]`; put on the list by `enqueue`. */
export function job<Payload extends object, Answer = undefined>(name: string, work: Work<Payload, Answer>): Job {
  return { name, work: work as unknown as Work<never, never> }
}

/** `export const schedules = [every(60_000, 'payments.reconcile', async (scope) => …)]`. */
export function every(everyMs: number, name: string, run: Schedule['run']): Schedule {
  return { name, everyMs, run }
}

export interface JobOrder {
  name: string
  /** One waiting job per name and key: asking again moves its time and payload. */
  key: string
  payload: object
  runAt?: Date
}

/** Puts a job on the list, in the caller's transaction. */
export async function enqueue(db: Db, { name, key, payload, runAt }: JobOrder): Promise<void> {
  await db.run(put, [name, key, JSON.stringify(payload), runAt ?? null])
}
const put = {
  name: 'platform.put-job',
  text: `insert into platform.job (name, key, payload, run_at) values ($1, $2, $3, coalesce($4, now()))
    on conflict (name, key) do update set payload = excluded.payload, run_at = excluded.run_at, round = platform.job.round + 1,
      attempts = 0, parked_at = null, last_error = null`,
}

/** Takes a waiting job off the list. */
export async function dequeue(db: Db, name: string, key: string): Promise<void> {
  await db.run({ name: 'platform.drop-job', text: 'delete from platform.job where name = $1 and key = $2' }, [name, key])
}
