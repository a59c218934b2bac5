import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { ModuleName } from '../../modules.ts'
import type { EventPayloads, EventType } from '#events'
import { codeOf } from './errors.ts'
import { logOf } from './log.ts'
import { migrate } from './migrate.ts'
import { type Pool, createPool } from './pool.ts'
import type { Db, Scope } from './scope.ts'
import { readSettings } from './settings.ts'
import { listMigrations } from './timeline.ts'
import { asCommand } from './transaction.ts'

export { useSettings } from './settings.ts'

/** Valid settings for real domains. */
export const productionSettings = {
  SITE_HOSTS: 'www.purlin.fr=fr/b2c,pro.purlin.fr=fr/b2b',
  TRUST_PROXY: '127.0.0.1',
  DEMO: 'off',
  PAYMENT_PROVIDER: 'stripe',
  STRIPE_SECRET_KEY: `sk_live_${randomBytes(32).toString('hex')}`,
  STRIPE_WEBHOOK_SECRET: `whsec_${randomBytes(32).toString('hex')}`,
  STRIPE_PUBLISHABLE_KEY: `pk_live_${randomBytes(32).toString('hex')}`,
  STRIPE_FRAME_URL: 'https://pay.purlin.fr/frame',
  IDENTITY_ORIGIN: 'https://id.purlin.fr',
  VIES_URL: 'https://ec.europa.eu/taxation_customs/vies/rest-api',
  HMRC_URL: 'https://api.service.hmrc.gov.uk',
  HMRC_CLIENT_ID: 'a-client',
  HMRC_CLIENT_SECRET: randomBytes(32).toString('base64'),
  SMTP_URL: 'smtp://user:password@mail.purlin.fr:587',
  MAIL_FROM: 'Purlin <orders@purlin.fr>',
  ORDER_LINK_SECRET: randomBytes(32).toString('base64'),
  RETENTION_KEY: randomBytes(32).toString('base64'),
  SESSION_SECRET: randomBytes(32).toString('base64'),
  IDENTITY_DATA_KEY: randomBytes(32).toString('base64'),
  OPERATOR_NAME: 'Purlin France SAS',
  OPERATOR_ADDRESS: '12 rue du Marché | 69002 Lyon',
  OPERATOR_REPRESENTATIVE: 'La direction',
  OPERATOR_REGISTER: 'RCS Lyon 123 456 789',
  OPERATOR_VAT_NUMBER: 'FR12123456789',
  OPERATOR_EMAIL: 'aide@purlin.fr',
  OPERATOR_PHONE: '+33 4 00 00 00 00',
  OPERATOR_HOST: 'Hébergeur SAS, Lyon',
  OPERATOR_MEDIATOR: 'Médiateur, Lyon',
  OPERATOR_IBAN: 'FR1420041010050500013M02606',
}

export interface TestDatabase {
  connectionString: string
  pool: Pool
  /** Directly on the pool: each statement commits by itself. */
  db: Db
  /** A scope on the pool, for reads: gb, b2c, guest by default. */
  scope(overrides?: Partial<Scope>): Scope
  /** Runs an operation as the gateway does: one transaction, rolled back when the result is a refusal. */
  command<Value>(overrides: Partial<Scope>, operation: (scope: Scope) => Promise<Value>): Promise<Value>
  /** Events in the outbox, oldest first. */
  events(): Promise<{ type: EventType; payload: EventPayloads[EventType] }[]>
}

/**
 * A fresh, migrated database for this test file, dropped when the file ends. `upTo` omits the modules after that one,
 * so that a test of `cart` does not depend on the tables of `checkout`.
 */
export async function testDatabase({ upTo }: { upTo?: ModuleName } = {}): Promise<TestDatabase> {
  const server = await testServer()
  const migrations = listMigrations(upTo)
  const digest = createHash('sha256')
    .update(migrations.map(({ checksum }) => checksum).join())
    .digest('hex')
    .slice(0, 16)
  const name = `test_${Date.now().toString(36)}_${randomBytes(5).toString('hex')}`
  await asAdmin(server, async (admin) => {
    const template = `template_${digest}`
    await makeTemplate(admin, template, () => migrate(at(server, `${template}_new`), { migrations }))
    // Copies files instead of writing each page to the write-ahead log: a quarter of the processor time.
    await retried(() => admin.query(`create database "${name}" template "${template}" strategy file_copy`))
  })
  const connectionString = at(server, name)
  // Test files share a process, in which one that computes for seconds holds up the others.
  const pool = createPool({ connectionString, sizes: { commands: 10, single: 8 }, allowExit: true, idleInTransactionMs: 30_000 })
  process.once('beforeExit', async () => {
    await pool.end()
    await asAdmin(server, (admin) => admin.query(`drop database if exists "${name}" with (force)`))
  })
  const { db } = pool
  return {
    connectionString,
    pool,
    db,
    scope: (overrides = {}) => testScope({ db, ...overrides }),
    command: (overrides, operation) => asCommand(pool, (unit) => operation(testScope({ db: unit.db, emit: unit.emit, ...overrides }))),
    events: () => db.rows({ name: 'test.events', text: 'select type, payload from platform.outbox order by position' }),
  }
}

/** The connections of a process that serves visitors, with the limits and sizes of production, to a database of tests. To be ended by the test. */
export function webPool({ connectionString }: Pick<TestDatabase, 'connectionString'>): Pool {
  return createPool({ connectionString, sizes: readSettings({}, []).connections, planOnce: true })
}

/** A scope for tests. Without a `db` it is for rules and shapes only: any SQL throws. */
export function testScope(overrides: Partial<Scope> = {}): Scope {
  const { market = 'gb', mode = 'b2c' } = overrides
  const never = () => Promise.reject(new Error('This test scope has no database'))
  const none: Db = {
    rows: never,
    row: never,
    run: never,
    get reads() {
      return none
    },
    get alone() {
      return none
    },
    get reports() {
      return none
    },
  }
  return {
    market,
    mode,
    origin: `http://${mode === 'b2b' ? 'pro.' : ''}${market}.localhost:3000`,
    principal: { kind: 'guest', id: null, email: null },
    prefersVat: false,
    session: null,
    now: new Date(),
    db: none,
    emit: () => undefined,
    requestId: 'test',
    log: logOf({ test: true }),
    ...overrides,
  }
}

const checkout = join(import.meta.dirname, '../../../..')
const home = join(tmpdir(), `purlin-tests-${createHash('sha256').update(`${checkout}:${userInfo().uid}`).digest('hex').slice(0, 10)}`)
const note = join(home, 'server.json')

/** Connection string of the running test server; starts one if there is none. */
async function testServer(): Promise<string> {
  mkdirSync(home, { recursive: true, mode: 0o711 })
  const lock = join(home, 'starting')
  for (const end = Date.now() + 60_000; Date.now() < end;) {
    const running = await answering()
    if (running) return running
    try {
      closeSync(openSync(lock, 'wx'))
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
      if (existsSync(lock) && Date.now() - statSync(lock).mtimeMs > 30_000) rmSync(lock, { force: true })
      await sleep(50)
      continue
    }
    try {
      rmSync(note, { force: true })
      const log = openSync(join(home, 'keeper.log'), 'a')
      const keeper = spawn(process.execPath, [join(import.meta.dirname, 'postgres-for-tests.ts'), home, note], {
        detached: true,
        stdio: ['ignore', log, log],
        env: { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: undefined },
      })
      closeSync(log)
      keeper.unref()
      for (const until = Date.now() + 30_000; Date.now() < until && !existsSync(note);) await sleep(20)
      await sleep(20)
    } finally {
      rmSync(lock, { force: true })
    }
  }
  throw new Error(`The test database does not start: see ${join(home, 'keeper.log')}`)
}

async function answering(): Promise<string | undefined> {
  try {
    const { connectionString } = JSON.parse(readFileSync(note, 'utf8')) as { connectionString: string }
    await asAdmin(connectionString, (admin) => admin.query('select 1'))
    return connectionString
  } catch {
    return undefined
  }
}

function at(server: string, database: string): string {
  return server.replace('/purlin?', `/${database}?`).replace(/\/purlin$/, `/${database}`)
}

async function asAdmin<Value>(connectionString: string, work: (admin: pg.Client) => Promise<Value>): Promise<Value> {
  const admin = new pg.Client({ connectionString, connectionTimeoutMillis: 5000 })
  admin.on('error', () => undefined)
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

/** The migrated template database that the others are copied from; created by one process at a time. */
async function makeTemplate(admin: pg.Client, template: string, fill: () => Promise<unknown>): Promise<void> {
  const exists = async () => (await admin.query('select 1 from pg_database where datname = $1', [template])).rowCount === 1
  if (await exists()) return
  await admin.query('select pg_advisory_lock(hashtext($1))', [template])
  try {
    if (await exists()) return
    const half = `${template}_new`
    await admin.query(`drop database if exists "${half}" with (force)`)
    await retried(() => admin.query(`create database "${half}"`))
    await fill()
    await retried(() => admin.query(`alter database "${half}" rename to "${template}"`))
  } finally {
    await admin.query('select pg_advisory_unlock(hashtext($1))', [template])
  }
}

/** Copies of one template briefly wait for each other. */
async function retried<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt >= 50 || codeOf(error) !== '55006') throw error
      await sleep(20 + Math.random() * 30)
    }
  }
}

/**
 * What a result of a GraphQL document or a JSON body holds at a path such as `product.offers.0.price`; `*` stands for
 * every element of a list: `listing.cards.*.productId`. A plain copy, without the prototypes that results lack.
 */
export function pick(value: unknown, path: string): unknown {
  const found = path.split('.').reduce<unknown[]>(
    (all, key) =>
      all.flatMap((one): unknown[] => {
        if (typeof one !== 'object' || one === null) throw new Error(`${path}: there is no object to read ${key} from`)
        return key === '*' ? Object.values(one) : [Reflect.get(one, key)]
      }),
    [structuredClone(value)],
  )
  return path.includes('*') ? found : found[0]
}
