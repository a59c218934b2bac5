import { Socket } from 'node:net'
import pg from 'pg'
import { log } from './log.ts'

/** Settings of one kind of connection. */
export interface ConnectionOptions {
  connectionString: string
  name: string
  /** Postgres refuses writes, except in a transaction that states `read write`. */
  readOnly?: boolean
  /** For short, frequently repeated statements: planned once per connection instead of every time. */
  planOnce?: boolean
  /** Off for migrations and seeding, whose statements are slow. */
  limits?: boolean
  statementMs?: number
  /** How long a statement waits for a lock. */
  lockMs?: number
  /** How long to wait for a new or a free connection. */
  waitMs?: number
  /** How long a transaction may lie idle before the database ends it. */
  idleInTransactionMs?: number
}

export function clientConfig({
  connectionString,
  name,
  readOnly,
  planOnce,
  limits = true,
  statementMs = 2500,
  lockMs = 1000,
  waitMs = 1500,
  idleInTransactionMs = 4000,
}: ConnectionOptions): pg.ClientConfig {
  const options = [
    // A database of somebody else may have another one, and days here are those of UTC.
    '-c timezone=UTC',
    readOnly && '-c default_transaction_read_only=on',
    planOnce && '-c plan_cache_mode=force_generic_plan',
  ]
  return {
    connectionString: withOptions(connectionString, options.filter(Boolean).join(' ')),
    application_name: name,
    connectionTimeoutMillis: waitMs,
    keepAlive: true,
    pipeline: true,
    stream: () => new BatchingSocket(),
    ...(limits && {
      statement_timeout: statementMs,
      query_timeout: statementMs + 300,
      lock_timeout: lockMs,
      idle_in_transaction_session_timeout: idleInTransactionMs,
    }),
  }
}

/** Ours come after those of the address, which would replace them if they were given beside it. */
function withOptions(connectionString: string, options: string): string {
  const address = new URL(connectionString)
  address.searchParams.set('options', [address.searchParams.get('options'), options].filter(Boolean).join(' '))
  return address.href
}

/** Connections for one statement or transaction at a time. */
export function connectionPool(options: pg.ClientConfig, max: number, allowExit: boolean): pg.Pool {
  const pool = new pg.Pool({ ...options, max, idleTimeoutMillis: 30_000, allowExitOnIdle: allowExit })
  // Without these listeners a lost connection would end the process.
  pool.on('error', (error) => log.warn({ reason: error.message }, 'idle database connection lost'))
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn({ reason: error.message }, 'database connection lost'))
  })
  return pool
}

/**
 * Sends everything written within one turn of the event loop as one packet: each packet wakes the database, and each
 * response wakes us. With the driver's pipeline mode, independent statements share a round trip.
 */
class BatchingSocket extends Socket {
  #isCorked = false

  override write(data: string | Uint8Array, done?: (error?: Error | null) => void): boolean
  override write(data: string | Uint8Array, encoding?: BufferEncoding, done?: (error?: Error | null) => void): boolean
  override write(
    data: string | Uint8Array,
    second?: BufferEncoding | ((error?: Error | null) => void),
    done?: (error?: Error | null) => void,
  ) {
    if (!this.#isCorked && !this.connecting) {
      this.#isCorked = true
      this.cork()
      setImmediate(() => {
        this.#isCorked = false
        this.uncork()
      })
    }
    return typeof second === 'function' ? super.write(data, second) : super.write(data, second, done)
  }
}
