import type { Db } from '#platform'

/** An event or a job claimed until its lease expires. */
export interface Claimed {
  kind: 'event' | 'job'
  /** The same on every attempt: event id, or name, key and round of a job. */
  id: string
  /** Type of the event or name of the job. */
  type: string
  key: string
  round: string
  payload: object
  attempt: number
  /** When it became due. */
  since: Date
}

/** Longer than any `call` may take; a dead worker's claims are free again after it, or when its successor starts. */
const lease = `interval '30 seconds'`

// A claim undone by a power failure is simply claimed again, so its commit need not wait for the disk. The setting ends with the statement.
const quickly = `with recursive quickly as materialized (select set_config('synchronous_commit', 'off', true) as done)`

const isWaiting = 'parked_at is null and finished_at is null'
/**
 * Selects due jobs of these names and locks them. Each name is a range of the index (name, priority, run_at) of which only the first entries
 * are read, so the jobs of other names cost nothing, however many are due.
 */
export const dueJobs = (names: string, limit: string) => `select due.name, due.key from ${names} as n (name)
        cross join lateral (
          select w.name, w.key, w.priority, w.run_at from platform.job w
          where w.name = n.name and ${isWaiting} and w.run_at <= now() and (w.locked_until is null or w.locked_until < now())
          order by w.priority desc, w.run_at limit ${limit} for update skip locked) due
        order by due.priority desc, due.run_at limit ${limit}`

/** The names of all waiting jobs, each found by one step through the index. A name that no module defines is among them. */
const waitingNames = `waiting_names (name) as (
      (select name from platform.job where ${isWaiting} order by name limit 1)
      union all
      select (select j.name from platform.job j where j.name > n.name and ${isWaiting} order by j.name limit 1)
      from waiting_names n where n.name is not null
    )`

const claimedJobs = (
  locked: string,
  excluded: string,
  limit: string,
) => `update platform.job j set locked_until = now() + ${lease}, locked_by = ${locked}, attempts = attempts + 1
      from quickly where quickly.done is not null and (j.name, j.key) in (
        ${dueJobs(`(select name from waiting_names where name <> all(${excluded}))`, limit)})
      returning j.name, j.key, j.round, j.payload, j.attempts, j.run_at`
const selectJobs = `select 'job' as kind, name || '/' || key || '/' || round as id, name as type, key, round::text, payload, attempts as attempt,
      run_at as since, null::bigint as position from jobs`

const claim = {
  name: 'worker.claim',
  text: `${quickly}, ${waitingNames}, events as (
      update platform.outbox o set locked_until = now() + ${lease}, locked_by = $1, attempts = attempts + 1
      from quickly where quickly.done is not null and o.id in (
        select w.id from platform.outbox w
        where w.done_at is null and w.parked_at is null and w.type = any($3) and w.available_at <= now() and (w.locked_until is null or w.locked_until < now())
          and not exists (select 1 from platform.outbox e where e.aggregate = w.aggregate and e.position < w.position
            and e.done_at is null and e.parked_at is null and e.type = any($3))
        order by w.position limit $2 for update skip locked)
      returning o.id, o.type, o.payload, o.attempts, o.available_at, o.position
    ), jobs as (
      ${claimedJobs('$1', '$4', '$2')}
    )
    select 'event' as kind, id::text as id, type, '' as key, '0' as round, payload, attempts as attempt, available_at as since, position from events
    union all
    ${selectJobs}
    order by position`,
}
const claimJobs = {
  name: 'worker.claim-jobs',
  text: `${quickly}, ${waitingNames}, jobs as (
      ${claimedJobs('$1', '$3', '$2')}
    )
    ${selectJobs}`,
}
const free = [
  {
    name: 'worker.free-events',
    text: 'update platform.outbox set locked_until = null where locked_by = $1 and done_at is null and locked_until is not null',
  },
  { name: 'worker.free-jobs', text: 'update platform.job set locked_until = null where locked_by = $1 and locked_until is not null' },
]

const unheard = {
  name: 'worker.settle-unheard',
  text: `update platform.outbox set done_at = now() where id in (
      select id from platform.outbox where done_at is null and parked_at is null and type <> all($1) order by position limit 1000 for update skip locked)`,
}

/**
 * Claims due work of the types that have handlers: of each aggregate only the oldest event, so that later ones wait for it.
 * Long jobs are left to their own runner (long-jobs.ts).
 */
export async function claimWork(
  db: Db,
  worker: string,
  limit: number,
  heard: readonly string[],
  long: readonly string[] = [],
): Promise<Claimed[]> {
  return heard.length === 0 ? db.rows<Claimed>(claimJobs, [worker, limit, long]) : db.rows<Claimed>(claim, [worker, limit, heard, long])
}

/** Marks events without handlers as done, many per write. They hold up nothing, so there is no hurry. */
export async function settleUnheard(db: Db, heard: readonly string[]): Promise<number> {
  return db.run(unheard, [heard])
}

/** Releases claims that a predecessor of this name held when it died. */
export async function freeClaims(db: Db, worker: string): Promise<void> {
  for (const statement of free) await db.run(statement, [worker])
}
