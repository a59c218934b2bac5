import pg from 'pg'
import { isOptional } from '../../modules.ts'
import { bulkhead, type Leave } from './bulkhead.ts'
import { clientConfig, connectionPool } from './connections.ts'
import { UnavailableError } from './errors.ts'
import type { Db, Lanes, Sent, Statement } from './scope.ts'
import type { PoolSizes } from './pool-sizes.ts'
import { sharedLines } from './shared-lines.ts'
import { traced } from './tracing.ts'

export interface PoolOptions {
  connectionString: string
  sizes?: Partial<PoolSizes>
  /** Off for migrations and seeding, whose statements are slow. */
  limits?: boolean
  name?: string
  /** For short, frequently repeated statements: planned once per connection instead of every time. */
  planOnce?: boolean
  /** Lets a process with nothing else to do end while idle connections are held. */
  allowExit?: boolean
  idleInTransactionMs?: number
}

/** Time limit of a report, and of its wait for the previous one. */
const reportMs = 60_000

/** Maximum number of requests waiting for a connection; any more are refused with a Retry-After (F5). */
const maxQueueLength = 200

/** How long a statement of an optional module waits for a lock, by itself or in a command that begins with one. */
export const optionalLockMs = 300
/** Commands of optional modules under way, so that the others keep their connections. */
const maxOptionalCommands = 2

/** All connections of a process to one database, by purpose. */
export interface Pool {
  /** Each statement commits by itself. */
  readonly db: Db
  readonly lanes: Lanes
  /** Connections for commands: read-only until `begin read write`, so that no write can slip out of its transaction. */
  readonly commands: pg.Pool
  /** A place for the command that begins with this statement; undefined if it needs none. */
  enter(first: Sent): Promise<Leave> | undefined
  /** The driver's own query method, for tests and tools. */
  query: pg.Pool['query']
  connect(): Promise<pg.PoolClient>
  /** Number of connections held, except those of the shared reads. */
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
  end(): Promise<void>
}

export function createPool({
  connectionString,
  sizes = {},
  limits = true,
  name = 'purlin',
  planOnce = false,
  allowExit = false,
  idleInTransactionMs,
}: PoolOptions): Pool {
  const { reads = 0, commands = 10, single = 6, reports = 2, optional = 0 } = sizes
  const common = { connectionString, name, limits, idleInTransactionMs }
  const alone = connectionPool(clientConfig({ ...common, planOnce }), single, allowExit)
  const transactions = connectionPool(clientConfig({ ...common, planOnce, readOnly: true }), commands, allowExit)
  const reporting = connectionPool(clientConfig({ ...common, readOnly: true, statementMs: reportMs, waitMs: reportMs }), reports, allowExit)
  const reading = clientConfig({ ...common, planOnce, readOnly: true })
  const shared = reads > 0 ? sharedLines(reading, reads) : undefined
  const separate = connectionPool(reading, 4, allowExit)
  const optionalReads = connectionPool(
    clientConfig({ ...common, planOnce, readOnly: true, lockMs: optionalLockMs }),
    optional || 1,
    allowExit,
  )
  const optionalWrites = connectionPool(clientConfig({ ...common, planOnce, lockMs: optionalLockMs }), optional || 1, allowExit)
  const optionalCommands = bulkhead({ places: maxOptionalCommands })
  /** Statements of optional modules take another way, which is short of places: what hangs there holds up nothing else. */
  const unless = (usual: Runner, own: Runner) => (statement: Sent) =>
    optionalModuleOf(statement) === undefined ? usual.query(statement) : own.query(statement)
  /** Reads and writes each have their places, so that measurements, however many arrive, refuse no page its flags. */
  const inPlaces = (own: pg.Pool): Runner => {
    const { enter } = bulkhead({ places: optional })
    return { query: (statement) => inPlace(enter(optionalModuleOf(statement) ?? ''), () => own.query(statement)) }
  }
  const lanes: Lanes = {
    // Without places they share no line with other reads: they may hang.
    reads: unless(shared ?? separate, optional > 0 ? inPlaces(optionalReads) : separate),
    alone: unless(alone, optional > 0 ? inPlaces(optionalWrites) : alone),
    reports: (statement) => reporting.query(statement),
  }
  const pools = [alone, transactions, separate, reporting, optionalReads, optionalWrites]
  const sum = (count: (pool: pg.Pool) => number) => pools.reduce((all, pool) => all + count(pool), 0)
  return {
    db: dbOn({ query: lanes.alone }, lanes),
    lanes,
    commands: transactions,
    enter: (first) => {
      const name = optional > 0 ? optionalModuleOf(first) : undefined
      return name === undefined ? undefined : optionalCommands.enter(name)
    },
    query: alone.query.bind(alone),
    connect: () => alone.connect(),
    get totalCount() {
      return sum((pool) => pool.totalCount)
    },
    get idleCount() {
      return sum((pool) => pool.idleCount)
    },
    get waitingCount() {
      return sum((pool) => pool.waitingCount)
    },
    end: async () => {
      await Promise.all([shared?.close(), ...pools.map((pool) => pool.end())])
    },
  }
}

/** Statements are named after their module: `history.read`. */
function optionalModuleOf({ name = '' }: Sent): string | undefined {
  const module = name.slice(0, name.indexOf('.'))
  return isOptional(module) ? module : undefined
}

async function inPlace<Value>(entering: Promise<Leave>, work: () => Promise<Value>): Promise<Value> {
  const leave = await entering
  try {
    const value = await work()
    leave()
    return value
  } catch (error) {
    leave(error)
    throw error
  }
}

export function refuseWhenCrowded(pool: Pool): void {
  if (pool.commands.waitingCount >= maxQueueLength) throw new UnavailableError('Too many requests wait for the database')
}

/** Anything that runs a statement: a pool, a connection or a transaction. */
export interface Runner {
  query(statement: Sent): Promise<pg.QueryResult>
}

/** By its name alone: text and values stay here. */
export const tracedStatement = (name: string, run: () => Promise<pg.QueryResult>): Promise<pg.QueryResult> =>
  traced(name, { kind: 'client', attributes: { 'db.system.name': 'postgresql' } }, run)

/** A Db whose statements go to the given runner and are counted. Without lanes everything goes there. */
export function dbOn(runner: Runner, lanes?: Lanes, count: (statement: Statement) => void = () => undefined): Db {
  const send = (statement: Statement, values: readonly unknown[] = []) => {
    count(statement)
    const { name, text } = statement
    return tracedStatement(name, () => runner.query({ name, text, values: values as unknown[] }))
  }
  const made = new Map<keyof Lanes, Db>()
  const lane = (name: keyof Lanes): Db => {
    if (!lanes) return db
    const own = made.get(name) ?? dbOn({ query: (statement) => lanes[name](statement) }, lanes, count)
    made.set(name, own)
    return own
  }
  const db: Db = {
    rows: async <Row extends object>(statement: Statement, values?: readonly unknown[]) => (await send(statement, values)).rows as Row[],
    row: async <Row extends object>(statement: Statement, values?: readonly unknown[]) =>
      (await send(statement, values)).rows[0] as Row | undefined,
    run: async (statement, values) => (await send(statement, values)).rowCount ?? 0,
    get reads() {
      return lane('reads')
    },
    get alone() {
      return lane('alone')
    },
    get reports() {
      return lane('reports')
    },
  }
  return db
}
