import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { announceBackfill, backfillBatch, type BackfillProgress, type Query } from './backfill.ts'
import { StartError, codeOf } from './errors.ts'
import { type Migration, listMigrations, statementsOf } from './timeline.ts'

export interface MigrateOptions {
  migrations?: readonly Migration[]
  /** No process of an older release is running any more, so contractions may run. */
  contract?: boolean
  /** Run backfills to completion now, or leave them to the worker. */
  backfill?: 'now' | 'later'
  /** How long a migration is retried while others hold its locks. */
  patienceMs?: number
  progress?: (line: string) => void
}

export interface Migrated {
  ran: string[]
  /** Pending migrations: contractions, those after them, and backfills left to the worker. */
  left: Migration[]
}

/** Kept short, because everybody else who needs the table queues behind the lock request. */
const lockTimeout = '50ms'
/** A slower statement holds its locks longer: it belongs in a backfill or a concurrent file. */
const statementTimeout = '10s'

/** Brings the database up to date; several processes may try at once, and a killed one is resumed. */
export async function migrate(connectionString: string, options: MigrateOptions = {}): Promise<Migrated> {
  const { migrations = listMigrations() } = options
  return withClient(connectionString, async (client) => {
    // Two concurrent first starts may both try to create the schema; one of them then finds it created.
    await client.query(setUp).catch(async () => client.query(setUp))
    const known = await applied(client)
    if (migrations.every((migration) => isApplied(known, migration))) return { ran: [], left: [] }
    // The process that holds this row migrates; the others wait here and then find the work done.
    return withClient(connectionString, async (keeper) => {
      await keeper.query('begin; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = 0')
      await keeper.query('select 1 from platform.migration_lock for update')
      return runAll(client, migrations, options)
    })
  })
}

const setUp = `
  create schema if not exists platform;
  create table if not exists platform.migration (id text primary key, checksum text not null, at timestamptz not null default now());
  create table if not exists platform.migration_lock (only_row integer primary key);
  create table if not exists platform.backfill (id text primary key, checksum text not null, statement text not null, rows_of text, checkpoint text,
    done bigint not null default 0, size integer not null default 200, at timestamptz not null default now(),
    moved_at timestamptz, finished_at timestamptz);
  insert into platform.migration_lock values (1) on conflict do nothing`

export async function withClient<Result>(connectionString: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000, application_name: 'purlin migrate' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

export async function applied(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ id: string; checksum: string }>('select id, checksum from platform.migration')
  return new Map(rows.map(({ id, checksum }) => [id, checksum]))
}

/** @throws StartError for a migration that was changed after it ran */
function isApplied(known: ReadonlyMap<string, string>, { id, checksum }: Migration): boolean {
  const ran = known.get(id)
  if (ran !== undefined && ran !== checksum)
    throw new StartError(`The migration ${id} was changed after it ran here. Write a new one, or start with an empty DATA_DIR.`)
  return ran !== undefined
}

async function runAll(client: pg.Client, migrations: readonly Migration[], options: MigrateOptions): Promise<Migrated> {
  const known = await applied(client)
  // An empty database has no older release to wait for: every phase runs now.
  const isFirst = known.size === 0
  const { contract = isFirst, backfill = isFirst ? 'now' : 'later', patienceMs = 60_000, progress } = options
  const ran: string[] = []
  const left: Migration[] = []
  let isStopped = false
  for (const migration of migrations) {
    if (isApplied(known, migration)) continue
    const { id, phase } = migration
    isStopped ||= phase === 'contract' && (!contract || left.length > 0)
    if (isStopped || (phase === 'backfill' && backfill === 'later')) {
      left.push(migration)
      if (!isStopped && phase === 'backfill') await announceBackfill(queryOf(client), migration)
      continue
    }
    if (phase === 'backfill') await runBackfill(client, migration, progress)
    else if (phase === 'concurrent') await runConcurrently(client, migration)
    else await retried(() => runInTransaction(client, migration), patienceMs)
    ran.push(id)
    progress?.(`${id} ran`)
  }
  return { ran, left }
}

const queryOf =
  (client: pg.Client): Query =>
  async <Row extends object>(text: string, values: unknown[]) =>
    (await client.query(text, values)).rows as Row[]

const note = 'insert into platform.migration (id, checksum) values ($1, $2)'

async function runInTransaction(client: pg.Client, { id, text, checksum }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = '${lockTimeout}'; set local statement_timeout = '${statementTimeout}'`)
    await client.query(text)
    await client.query(note, [id, checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw failed(id, error)
  }
}

function failed(id: string, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error)
  const hint = codeOf(error) === '57014' ? ' (it took longer than 10 s: use .backfill.sql or .concurrent.sql)' : ''
  return Object.assign(new Error(`Migration ${id}: ${reason}${hint}`, { cause: error }), { code: codeOf(error) })
}

/** Retried with growing pauses while others hold a lock it needs. */
async function retried(run: () => Promise<void>, patienceMs: number): Promise<void> {
  const deadline = Date.now() + patienceMs
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 1.5, 2_000)) {
    try {
      return await run()
    } catch (error) {
      const isBusy = codeOf(error) === '55P03' || codeOf(error) === '40P01'
      if (!isBusy || Date.now() + pauseMs > deadline) throw error
      await sleep(pauseMs * (0.5 + Math.random()))
    }
  }
}

/** Runs statement by statement. Leftovers of an interrupted attempt are dropped first. */
async function runConcurrently(client: pg.Client, { id, text, checksum }: Migration): Promise<void> {
  // These wait for transactions without blocking anybody behind them.
  await client.query('set lock_timeout = 0; set statement_timeout = 0')
  try {
    for (const statement of statementsOf(text)) {
      const index =
        /^create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?([a-z0-9_]+)\s+on\s+(?:only\s+)?([a-z_]+)\./i.exec(
          statement,
        )
      const state = index && (await stateOfIndex(client, index[2] ?? '', index[1] ?? ''))
      if (state === 'valid') continue
      if (state === 'invalid') await client.query(`drop index concurrently "${index?.[2]}"."${index?.[1]}"`)
      await client.query(statement)
    }
    await client.query(note, [id, checksum])
  } catch (error) {
    throw failed(id, error)
  } finally {
    await client.query('reset lock_timeout; reset statement_timeout')
  }
}

async function stateOfIndex(client: pg.Client, schema: string, name: string): Promise<'valid' | 'invalid' | null> {
  const { rows } = await client.query<{ isValid: boolean }>(
    `select i.indisvalid and i.indisready as "isValid" from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relname = $2 and c.relnamespace = to_regnamespace($1)`,
    [schema, name],
  )
  return rows[0] ? (rows[0].isValid ? 'valid' : 'invalid') : null
}

async function runBackfill(client: pg.Client, migration: Migration, progress?: (line: string) => void): Promise<void> {
  const query = queryOf(client)
  await announceBackfill(query, migration)
  for (;;) {
    const started = performance.now()
    const batch = await finishOrBatch(client, query, migration)
    if (batch?.isFinished) return
    if (batch) progress?.(describe(batch))
    // Pauses as long as the batch took: buyers come first.
    await sleep(batch ? performance.now() - started : 100)
  }
}

async function finishOrBatch(client: pg.Client, query: Query, { id }: Migration): Promise<BackfillProgress | null> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = '2s'; set local statement_timeout = '${statementTimeout}'`)
    const batch = await backfillBatch(query, id)
    await client.query('commit')
    return batch
  } catch (error) {
    await client.query('rollback')
    if (codeOf(error) === '55P03' || codeOf(error) === '40P01') return null
    throw failed(id, error)
  }
}

export function describe({ id, done, of }: BackfillProgress): string {
  const rows = done.toLocaleString('en')
  return of ? `${id} ${Math.min(99, Math.floor((100 * done) / of))} % (${rows} rows)` : `${id} ${rows} rows`
}
