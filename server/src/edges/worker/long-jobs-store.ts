import type { Db, LongJob } from '#platform'
import { dueJobs } from './claim.ts'

/** A long job claimed until its lease expires; every write carries the fence, so a holder that lost it changes nothing. */
export interface Held {
  name: string
  key: string
  round: string
  fence: string
  payload: object
  checkpoint: unknown
  attempt: number
  cancelled: boolean
}

const lease = `interval '30 seconds'`
const ours = 'name = $1 and key = $2 and round = $3 and fence = $4'
const claim = {
  name: 'worker.claim-long',
  text: `update platform.job j set locked_until = now() + ${lease}, locked_by = $1, attempts = attempts + 1, fence = fence + 1
    where (j.name, j.key) in (
      ${dueJobs('unnest($3::text[])', '$2')})
    returning name, key, round::text, fence::text, payload, checkpoint, attempts as attempt, cancel_requested_at is not null as cancelled`,
}
const heartbeat = {
  name: 'worker.beat-long',
  text: `update platform.job set locked_until = now() + ${lease}, progress_done = coalesce($5, progress_done), progress_total = coalesce($6, progress_total)
    where ${ours} and finished_at is null returning cancel_requested_at is not null as cancelled`,
}
// A job that makes progress is not failing, however often its process ends.
const checkpoint = {
  name: 'worker.checkpoint-long',
  text: `update platform.job set locked_until = now() + ${lease}, checkpoint = $7, attempts = 1,
      progress_done = coalesce($5, progress_done), progress_total = coalesce($6, progress_total)
    where ${ours} and finished_at is null returning cancel_requested_at is not null as cancelled`,
}
const finish = {
  name: 'worker.finish-long',
  text: `update platform.job set finished_at = now(), outcome = $7, locked_until = null, last_error = null,
      progress_done = coalesce($5, progress_done), progress_total = coalesce($6, progress_total)
    where ${ours} and finished_at is null`,
}
const fail = {
  name: 'worker.fail-long',
  text: `update platform.job set locked_until = null, run_at = now() + $5 * interval '1 millisecond', last_error = $6,
    parked_at = case when $7 then now() end where ${ours}`,
}
const release = {
  name: 'worker.release-long',
  text: `update platform.job set locked_until = null, attempts = greatest(attempts - 1, 0) where name = $1 and key = $2 and fence = $3`,
}

const keys = ({ name, key, round, fence }: Held) => [name, key, round, fence]
type Progress = [number, number] | null

export async function claimLong(db: Db, worker: string, room: number, jobs: readonly LongJob[]): Promise<Held[]> {
  return room < 1 ? [] : db.rows<Held>(claim, [worker, room, jobs.map(({ name }) => name)])
}

/** Extends the lease; undefined when the claim was lost. */
export function beat(db: Db, held: Held, progress: Progress): Promise<{ cancelled: boolean } | undefined> {
  return db.row(heartbeat, [...keys(held), progress?.[0] ?? null, progress?.[1] ?? null])
}

/** Stores the checkpoint; undefined when the claim was lost. */
export function keepCheckpoint(db: Db, held: Held, state: unknown, progress: Progress): Promise<{ cancelled: boolean } | undefined> {
  return db.row(checkpoint, [...keys(held), progress?.[0] ?? null, progress?.[1] ?? null, JSON.stringify(state)])
}

export async function finishLong(db: Db, held: Held, outcome: 'done' | 'cancelled', progress: Progress): Promise<void> {
  await db.run(finish, [...keys(held), progress?.[0] ?? null, progress?.[1] ?? null, outcome])
}

export async function failLong(
  db: Db,
  held: Held,
  { pauseMs, reason, isDead }: { pauseMs: number; reason: string; isDead: boolean },
): Promise<void> {
  await db.run(fail, [...keys(held), pauseMs, reason, isDead])
}

export async function releaseLong(db: Db, { name, key, fence }: Held): Promise<void> {
  await db.run(release, [name, key, fence])
}
