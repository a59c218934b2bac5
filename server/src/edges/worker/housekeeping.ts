import { createHash } from 'node:crypto'
import { type Query, type Schedule, backfillBatch, countJobs, every, openBackfills } from '#platform'
import type { Pool } from '#platform'
import { metrics } from '../../foundation/platform/metrics.ts'

/** Retention of the platform's own tables. Deleted in small batches: a long delete would block writers. */
const forget = [
  {
    name: 'platform.forget-events',
    text: `delete from platform.outbox where id in (select id from platform.outbox where done_at < now() - interval '14 days' limit 2000)`,
  },
  {
    name: 'platform.forget-handled',
    text: `delete from platform.handled where ctid = any(array(select ctid from platform.handled where at < now() - interval '21 days' limit 2000))`,
  },
  {
    name: 'platform.forget-keys',
    text: `delete from platform.idempotency where ctid = any(array(select ctid from platform.idempotency where created_at < now() - interval '14 days' limit 2000))`,
  },
  {
    name: 'platform.forget-jobs',
    text: `delete from platform.job where (name, key) in (select name, key from platform.job where finished_at < now() - interval '14 days' limit 2000)`,
  },
  { name: 'platform.forget-purges', text: `delete from platform.purge_log where at < now() - interval '1 day'` },
]

const forgetting: Schedule[] = forget.map((statement) =>
  every(60_000, statement.name, async ({ db }) => {
    await db.run(statement)
  }),
)

/** One batch of a backfill that a migration has left to the worker. */
const backfilling: Schedule = every(1_000, 'platform.backfill', async ({ db }) => {
  const query: Query = <Row extends object>(text: string, values: unknown[]) => db.rows<Row>({ name: nameOf(text), text }, values)
  const [next] = await openBackfills(query)
  if (next) await backfillBatch(query, next.id)
})
const nameOf = (text: string): string => `platform.backfill-${createHash('sha256').update(text).digest('base64url').slice(0, 16)}`

export const housekeeping: Schedule[] = [...forgetting, backfilling]

const counts = {
  name: 'platform.count-work',
  text: `select (select count(*) from (select 1 from platform.outbox where done_at is null and parked_at is null limit 10000) w)::int as waiting,
    ((select count(*) from platform.outbox where parked_at is not null and done_at is null) + (select count(*) from platform.job where parked_at is not null))::int as parked`,
}

/** Updates the gauges of pending and dead-lettered work. */
export async function countWork(pool: Pool): Promise<void> {
  const row = await pool.db.row<{ waiting: number; parked: number }>(counts)
  metrics.waiting.set(row?.waiting ?? 0)
  metrics.parked.set(row?.parked ?? 0)
  for (const [state, jobs] of Object.entries(await countJobs(pool.db))) metrics.jobs.set({ state }, jobs)
}
