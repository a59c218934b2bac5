import type { Migration } from './timeline.ts'

/** Runs one statement on a client inside a transaction. */
export type Query = <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>

export interface BackfillProgress {
  id: string
  done: number
  /** Estimated number of rows; null when not given. */
  of: number | null
  isFinished: boolean
}

const leastRows = 20
const mostRows = 5_000
const slowMs = 250
const quickMs = 80

/** Registers a backfill, so that a worker continues it. Idempotent. */
export async function announceBackfill(query: Query, { id, text, checksum }: Migration): Promise<void> {
  const table = /^--\s*rows of:?\s*([a-z_]+\.[a-z_]+)/m.exec(text)?.[1] ?? null
  await query(
    `insert into platform.backfill (id, checksum, statement, rows_of) values ($1, $2, $3, $4)
     on conflict (id) do update set statement = excluded.statement, checksum = excluded.checksum`,
    [id, checksum, text, table],
  )
}

/**
 * The next rows of a backfill, in the caller's transaction, together with its checkpoint: killed at any moment, it continues
 * where it was. Null while another process is running it.
 */
export async function backfillBatch(query: Query, id: string): Promise<BackfillProgress | null> {
  const [row] = await query<{
    statement: string
    checkpoint: string | null
    done: string
    size: number
    of: number | null
    isFinished: boolean
  }>(
    `select statement, checkpoint, done, size, finished_at is not null as "isFinished",
       (select nullif(reltuples, -1)::float8 from pg_class where oid = to_regclass(rows_of)) as of
     from platform.backfill where id = $1 for update skip locked`,
    [id],
  )
  if (!row) return null
  const { of, statement, size } = row
  if (row.isFinished) return { id, done: Number(row.done), of, isFinished: true }
  const started = performance.now()
  const rows = await query<{ key: unknown }>(statement, [row.checkpoint, size])
  const tookMs = performance.now() - started
  const done = Number(row.done) + rows.length
  const isFinished = rows.length === 0
  const next = tookMs > slowMs ? Math.max(leastRows, size >> 1) : tookMs < quickMs ? Math.min(mostRows, size * 2) : size
  await query(
    `update platform.backfill set checkpoint = coalesce($2, checkpoint), done = $3, size = $4, moved_at = now(),
       finished_at = case when $5 then now() end where id = $1`,
    [id, isFinished ? null : String(rows.at(-1)?.key), done, next, isFinished],
  )
  if (isFinished)
    await query('insert into platform.migration (id, checksum) select id, checksum from platform.backfill where id = $1', [id])
  return { id, done, of, isFinished }
}

/** Unfinished backfills, in order. */
export async function openBackfills(query: Query): Promise<BackfillProgress[]> {
  return query<BackfillProgress>(
    `select id, done::float8 as done, false as "isFinished",
       (select nullif(reltuples, -1)::float8 from pg_class where oid = to_regclass(rows_of)) as of
     from platform.backfill where finished_at is null order by at`,
    [],
  )
}
