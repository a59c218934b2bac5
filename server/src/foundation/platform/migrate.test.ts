import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { problemsOf } from './check-migration.ts'
import { migrate } from './migrate.ts'
import { checkSchema, schemaStatus } from './schema-version.ts'
import { migrationOf, type Migration } from './timeline.ts'

const { connectionString, pool } = await testDatabase({ upTo: 'markets' })
const known = (await pool.query<{ id: string; checksum: string }>('select id, checksum from platform.migration')).rows
const run = (list: Migration[], options: Omit<Parameters<typeof migrate>[1], 'migrations'> = {}) =>
  migrate(connectionString, { migrations: list, ...options })
const count = async (table: string) => (await pool.query(`select count(*)::int as n from ${table}`)).rows[0].n as number

test('five concurrent starts run each migration once', async () => {
  const list = [
    migrationOf('x/001.sql', 'create table one (n int); insert into one values (1); select pg_sleep(0.05)'),
    migrationOf('x/002.sql', 'insert into one values (2)'),
  ]
  const ran = await Promise.all(Array.from({ length: 5 }, () => run(list)))
  assert.deepEqual(ran.flatMap((each) => each.ran).toSorted(), ['x/001.sql', 'x/002.sql'])
  assert.equal(await count('one'), 2)
})

test('a failing migration leaves nothing behind, is named in the error, and is retried the next time', async () => {
  await assert.rejects(
    run([migrationOf('x/003.sql', 'create table three (n int); select 1 / 0')]),
    /Migration x\/003\.sql: division by zero/,
  )
  assert.deepEqual((await run([migrationOf('x/003.sql', 'create table three (n int)')])).ran, ['x/003.sql'])
})

test('a migration changed after it ran is reported in one sentence', async () => {
  await assert.rejects(run([migrationOf('x/002.sql', 'select 2')]), /The migration x\/002\.sql was changed after it ran here/)
})

test('F16 V-56 a migration that cannot get its lock gives up quickly, lets traffic pass between attempts, and succeeds once the lock is free', async () => {
  const holder = await pool.connect()
  await holder.query('begin; insert into one values (3)')
  const migration = migrationOf('x/004.sql', 'alter table one add m int')
  await assert.rejects(run([migration], { patienceMs: 500 }), /lock timeout/)
  const trying = run([migration], { patienceMs: 10_000 })
  const longest = await maxRead(1_000)
  await holder.query('rollback')
  holder.release()
  assert.deepEqual((await trying).ran, ['x/004.sql'])
  assert.ok(longest < 400, `a read waited ${longest} ms behind the migration`)
})

/** Reads the table while the migration waits for it; they would queue behind its lock request. */
async function maxRead(forMs: number): Promise<number> {
  let longest = 0
  for (const end = Date.now() + forMs; Date.now() < end;) {
    const started = performance.now()
    await pool.query('select n from one limit 1')
    longest = Math.max(longest, performance.now() - started)
  }
  return Math.round(longest)
}

test('V-56 an index is built outside a transaction alongside an open writer, and one left invalid by a crash is rebuilt', async () => {
  const list = [
    migrationOf('x/202601010000-one-n.concurrent.sql', '-- looked up by n\ncreate unique index concurrently one_n on public.one (n);\n'),
  ]
  await pool.query('insert into one values (1)')
  await assert.rejects(run(list), /could not create unique index/)
  const { rows } = await pool.query(`select indisvalid from pg_index where indexrelid = 'one_n'::regclass`)
  assert.deepEqual(rows, [{ indisvalid: false }])
  await pool.query('delete from one where n = 1')
  assert.deepEqual((await run(list)).ran, [list[0]?.id])
  assert.deepEqual((await pool.query(`select indisvalid from pg_index where indexrelid = 'one_n'::regclass`)).rows, [{ indisvalid: true }])
})

const letters: Migration[] = [
  migrationOf('x/202601020000-letters.sql', 'create table letter (n int primary key, text text)'),
  migrationOf(
    'x/202601020001-letters.backfill.sql',
    `-- rows of: public.letter
     with next as (select n from letter where ($1::text is null or n > $1::int) order by n limit $2),
     filled as (update letter set text = 'letter ' || letter.n from next where letter.n = next.n)
     select n as key from next order by n`,
  ),
  migrationOf('x/202601020002-letters.contract.sql', 'alter table letter alter text set not null'),
  migrationOf('x/202601020003-after.sql', 'create table after_letters (n int)'),
]

test('V-56 a backfill killed in the middle continues from its checkpoint; contractions wait for it and for permission', async () => {
  assert.deepEqual((await run(letters.slice(0, 1))).ran, [letters[0]?.id])
  await pool.query('insert into letter select generate_series(1, 3000)')
  let lines = 0
  const cutOff = run(letters, {
    backfill: 'now',
    progress: () => {
      if (++lines === 2) throw new Error('killed')
    },
  })
  await assert.rejects(cutOff, /killed/)
  const { done, checkpoint } = (await pool.query('select done::int as done, checkpoint from platform.backfill')).rows[0]
  assert.ok(done > 0 && done < 3000, `${done} rows were done`)
  assert.equal(Number(checkpoint), done)
  assert.equal((await schemaStatus(connectionString, letters)).backfills[0]?.done, done)
  // Batches done before the kill are not repeated.
  await pool.query(`update letter set text = 'kept' where n = 1`)
  const later = await run(letters, { contract: true })
  assert.deepEqual(
    later.left.map(({ id }) => id),
    letters.slice(1).map(({ id }) => id),
  )
  const now = await run(letters, { backfill: 'now' })
  assert.deepEqual(now.ran, [letters[1]?.id])
  assert.deepEqual(
    now.left.map(({ id }) => id),
    [letters[2]?.id, letters[3]?.id],
  )
  assert.deepEqual(problemsOf({ ...letters[1]!, id: 'x/202601020001-letters.backfill.sql' }), [])
  const filled = (await pool.query(`select count(*)::int as n, min(text) as first from letter where text is not null`)).rows
  assert.deepEqual(filled, [{ n: 3000, first: 'kept' }])
  assert.deepEqual((await run(letters, { contract: true })).ran, [letters[2]?.id, letters[3]?.id])
})

test('V-56 a release starts on a database with the schema it needs, and reports any other in one sentence', async () => {
  const list = [...letters.slice(0, 1), migrationOf('x/202601030000-new.sql', 'select 1')]
  await assert.rejects(
    checkSchema(connectionString, list),
    /lacks 1 of this release's migrations, first x\/202601030000-new\.sql: run npm run migrate -- up\./,
  )
  await assert.rejects(
    checkSchema(connectionString, letters.slice(0, 2)),
    /belongs to a newer release \(x\/202601020002-letters\.contract\.sql\)/,
  )
  await checkSchema(connectionString, [...letters, migrationOf('x/202601040000-soon.contract.sql', 'select 1')])
  const empty = new URL(connectionString)
  empty.pathname = '/postgres'
  await assert.rejects(checkSchema(empty.href), /no tables yet: run npm run migrate -- up/)
})

test('V-56 the first release’s database is recognised by the names of its migrations', () => {
  assert.deepEqual(
    known.filter(({ id }) => /^platform\/00[12]/.test(id)).map(({ id, checksum }) => [id, checksum.slice(0, 8)]),
    [
      ['platform/001-platform.sql', '7ef865bb'],
      ['platform/002-note.sql', 'ab6b89d3'],
    ],
  )
})
