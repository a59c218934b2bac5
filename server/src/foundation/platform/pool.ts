import pg from 'pg'
import { UnavailableError } from './errors.ts'
import { log } from './log.ts'
import type { Db, Statement } from './scope.ts'
import { sharedLines, type SharedLines } from './shared-lines.ts'

export type Pool = pg.Pool

export interface PoolOptions {
  connectionString: string
  /** Connections held at most. */
  max?: number
  /** Off for migrations and seeding, whose statements take their time. */
  limits?: boolean
  name?: string
  /** For short statements by key, the same again and again: planned once per connection instead of every time. */
  planOnce?: boolean
  /** Connections beside the pool on which questions travel together; see sharedLines. None by default. */
  sharedLines?: number
  /** A process with nothing else to do may end while the pool holds idle connections. */
  allowExit?: boolean
}

/** Requests that may wait for a connection; the next one is told to come back later (F5). */
const longestQueue = 200

/** A pool with the limits of design rule 6, which survives the death of its database. */
export function createPool({
  connectionString,
  max = 16,
  limits = true,
  name = 'purlin',
  planOnce = false,
  allowExit = false,
  sharedLines: lines = 0,
}: PoolOptions): Pool {
  const options = {
    connectionString,
    application_name: name,
    connectionTimeoutMillis: 1500,
    keepAlive: true,
    // Statements that do not wait for each other's answers are sent together; see Line.
    pipeline: true,
    ...(planOnce ? { options: '-c plan_cache_mode=force_generic_plan' } : {}),
    ...(limits ? { statement_timeout: 2500, query_timeout: 2800, lock_timeout: 1000, idle_in_transaction_session_timeout: 4000 } : {}),
  }
  const pool = new pg.Pool({ ...options, max, idleTimeoutMillis: 30_000, allowExitOnIdle: allowExit })
  // Without these listeners a lost connection ends the process.
  pool.on('error', (error) => log.warn({ reason: error.message }, 'idle database connection lost'))
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn({ reason: error.message }, 'database connection lost'))
  })
  if (lines > 0) {
    const shared = sharedLines(options, lines)
    linesOf.set(pool, shared)
    const end = pool.end.bind(pool)
    pool.end = async () => {
      await shared.close()
      await end()
    }
  }
  return pool
}

const linesOf = new WeakMap<Runner, SharedLines>()

const question = /^\s*select\b/i
const locks = /\bfor\s+(no\s+key\s+)?update\b|\bfor\s+(key\s+)?share\b/i

/** Only reads, and holds nothing: needs no transaction, and no connection of its own. */
export function isQuestion({ text }: Statement): boolean {
  return question.test(text) && !locks.test(text)
}

export function refuseWhenCrowded(pool: Pool): void {
  if (pool.waitingCount >= longestQueue) throw new UnavailableError('Too many requests wait for the database')
}

/** What runs a query: a pool, or one of its connections. */
export interface Runner {
  query(config: { name?: string; text: string; values?: unknown[] }): Promise<pg.QueryResult>
}

/** A Db straight on a pool or a connection: each statement commits by itself (on a pool). */
export function dbOn(runner: Runner, count: () => void = () => undefined): Db {
  const lines = linesOf.get(runner)
  const send = (statement: Statement, values: readonly unknown[] = []) => {
    count()
    return (lines && isQuestion(statement) ? lines : runner).query({
      name: statement.name,
      text: statement.text,
      values: values as unknown[],
    })
  }
  return {
    rows: async <Row extends object>(statement: Statement, values?: readonly unknown[]) => (await send(statement, values)).rows as Row[],
    row: async <Row extends object>(statement: Statement, values?: readonly unknown[]) =>
      (await send(statement, values)).rows[0] as Row | undefined,
    run: async (statement, values) => (await send(statement, values)).rowCount ?? 0,
    atomic: async <Row extends object>(statement: Statement, values?: readonly unknown[]) => (await send(statement, values)).rows as Row[],
    later: async (statement, values) => void (await send(statement, values)),
  }
}
