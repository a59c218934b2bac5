import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { asCommand, createPool } from '#platform'
import { testDatabase } from '#platform/testing'

const database = await testDatabase({ upTo: 'markets' })
await database.pool.query('create table public.shared (id int primary key, n int not null); insert into public.shared values (1, 7)')
const pool = createPool({ connectionString: database.connectionString, name: 'test shared', sizes: { reads: 2 } })
after(() => pool.end())
const db = pool.db.reads

const backend = { name: 'test.backend', text: 'select pg_backend_pid() as pid, $1::int as n' }
const read = { name: 'test.shared-read', text: 'select n from public.shared where id = $1' }
const lock = { name: 'test.shared-lock', text: 'select n from public.shared where id = $1 for update' }
const set = { name: 'test.shared-set', text: 'update public.shared set n = $2 where id = $1' }
const wrong = { name: 'test.shared-wrong', text: 'select 1 / $1::int as one' }
const pause = { name: 'test.shared-pause', text: 'select pg_sleep($1)' }

test('many callers’ queries share two connections, and each gets its own result', async () => {
  const rows = await Promise.all(Array.from({ length: 100 }, (_, n) => db.row<{ pid: number; n: number }>(backend, [n])))
  assert.deepEqual(
    rows.map((row) => row?.n),
    Array.from({ length: 100 }, (_, n) => n),
  )
  assert.equal(new Set(rows.map((row) => row?.pid)).size, 2)
  assert.equal(pool.totalCount, 0)
})

test('reads of one turn share a connection, four each, and those of the next turn take the one that is less busy', async () => {
  const pids = async (count: number) =>
    (await Promise.all(Array.from({ length: count }, (_, n) => db.row<{ pid: number }>(backend, [n])))).map((row) => row?.pid)
  const [one, other] = [await pids(8), await pids(3)]
  assert.deepEqual(
    [one.slice(0, 4), one.slice(4), other].map((group) => new Set(group).size),
    [1, 1, 1],
  )
  assert.equal(new Set(one).size, 2)
  const waiting = db.row(pause, [0.2])
  await new Promise((resolve) => setImmediate(resolve))
  const before = performance.now()
  await db.row(read, [1])
  assert.ok(performance.now() - before < 100, 'a read of the next turn waits for no slow one')
  await waiting
})

test('writes and locks have connections of their own, and reads see earlier commits', async () => {
  for (let n = 0; n < 20; n++) {
    await pool.db.run(set, [1, n])
    assert.deepEqual(await db.row(read, [1]), { n })
  }
  await asCommand(pool, async (unit) => {
    assert.deepEqual(await unit.db.row(lock, [1]), { n: 19 })
    await unit.db.run(set, [1, 20])
    assert.deepEqual(await unit.db.row(read, [1]), { n: 20 })
    assert.deepEqual(await db.row(read, [1]), { n: 19 })
  })
})

test('a failing query fails alone', async () => {
  const answers = await Promise.allSettled([
    db.row(read, [1]),
    db.row(wrong, [0]),
    db.row(read, [1]),
    db.row(wrong, [1]),
    db.row(wrong, [0]),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'rejected'],
  )
})

test('a lost connection fails the queries waiting on it, and the next query gets a new one', async () => {
  const waiting = [db.row(pause, [30]), db.row(pause, [30])]
  const lost = Promise.allSettled(waiting)
  await new Promise((resolve) => setTimeout(resolve, 200))
  await database.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test shared'`)
  assert.deepEqual(
    (await lost).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  await new Promise((resolve) => setTimeout(resolve, 100))
  assert.deepEqual(await db.row(read, [1]), { n: 20 })
})

test('a query that times out is abandoned, and those after it succeed', async () => {
  const stuck = await Promise.allSettled([db.row(pause, [10])])
  assert.equal(stuck[0]?.status, 'rejected')
  assert.deepEqual(await db.row(read, [1]), { n: 20 })
})

test('while the database is down a query fails within seconds, and succeeds once it is back', async () => {
  const nowhere = createPool({ connectionString: 'postgres://me@127.0.0.1:1/none', sizes: { reads: 1 } })
  const from = performance.now()
  await assert.rejects(nowhere.db.reads.row(read, [1]), /ECONNREFUSED/)
  await assert.rejects(nowhere.db.reads.row(read, [1]), /ECONNREFUSED/)
  assert.ok(performance.now() - from < 4000)
  await nowhere.end()
  await assert.rejects(nowhere.db.reads.row(read, [1]), /closed/)
})

test('a query over the limit is refused with a Retry-After', async () => {
  const few = createPool({ connectionString: database.connectionString, name: 'test few', sizes: { reads: 1 } })
  const all = await Promise.allSettled(Array.from({ length: 400 }, () => few.db.reads.row(read, [1])))
  const refused = all.filter(({ status }) => status === 'rejected')
  assert.ok(refused.length > 0 && refused.length <= 150, `${refused.length} refused`)
  assert.match(String((refused[0] as PromiseRejectedResult).reason), /Too many requests wait/)
  assert.deepEqual(await few.db.reads.row(read, [1]), { n: 20 })
  await few.end()
})

test('the time zone of every connection is UTC, whatever that of the database is', async () => {
  const name = new URL(database.connectionString).pathname.slice(1)
  await database.pool.query(`alter database "${name}" set timezone to 'Europe/Paris'`)
  const elsewhere = createPool({ connectionString: database.connectionString, sizes: { reads: 1, single: 1, commands: 1, reports: 1 } })
  try {
    const zone = { name: 'test.zone', text: `select current_setting('timezone') as zone` }
    const { db } = elsewhere
    const seen = await Promise.all([db, db.reads, db.reports].map((lane) => lane.row(zone)))
    seen.push(await asCommand(elsewhere, (unit) => unit.db.row(zone)))
    assert.deepEqual(
      seen,
      Array.from({ length: 4 }, () => ({ zone: 'UTC' })),
    )
  } finally {
    await elsewhere.end()
  }
})

test('options in the address of the database count beside ours: connections for reads stay read-only, and in UTC', async () => {
  const address = new URL(database.connectionString)
  address.searchParams.set('options', '-c timezone=Europe/Paris -c work_mem=5MB')
  const own = createPool({ connectionString: address.href, sizes: { reads: 1, single: 1, commands: 1, reports: 1 } })
  try {
    const known = {
      name: 'test.options',
      text: `select current_setting('timezone') as zone, current_setting('work_mem') as memory, current_setting('default_transaction_read_only') as guard`,
    }
    assert.deepEqual(await own.db.reads.row(known), { zone: 'UTC', memory: '5MB', guard: 'on' })
    assert.deepEqual(await own.db.row(known), { zone: 'UTC', memory: '5MB', guard: 'off' })
  } finally {
    await own.end()
  }
})
