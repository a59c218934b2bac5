import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { modules } from '../../modules.ts'
import { type Migration, listMigrations, migrate } from './migrate.ts'

const { connectionString, pool } = await testDatabase({ upTo: 'markets' })
const migration = (id: string, text: string): Migration => ({ id, text, checksum: text })
const count = async (table: string) => (await pool.query(`select count(*)::int as n from ${table}`)).rows[0].n as number

test('five that start at once run each migration once', async () => {
  const list = [
    migration('x/001.sql', 'create table one (n int); insert into one values (1); select pg_sleep(0.05)'),
    migration('x/002.sql', 'insert into one values (2)'),
  ]
  const ran = await Promise.all(Array.from({ length: 5 }, () => migrate(connectionString, list)))
  assert.deepEqual(ran.flat().toSorted(), ['x/001.sql', 'x/002.sql'])
  assert.equal(await count('one'), 2)
})

test('a migration that fails leaves nothing, names itself, and is tried again the next time', async () => {
  await assert.rejects(
    migrate(connectionString, [migration('x/003.sql', 'create table three (n int); select 1 / 0')]),
    /Migration x\/003\.sql: division by zero/,
  )
  assert.deepEqual(await migrate(connectionString, [migration('x/003.sql', 'create table three (n int)')]), ['x/003.sql'])
})

test('a migration changed after it ran is told in one sentence', async () => {
  await assert.rejects(
    migrate(connectionString, [migration('x/002.sql', 'select 2')]),
    /The migration x\/002\.sql was changed after it ran here/,
  )
})

test('F16 a migration does not wait for a lock longer than three seconds', async () => {
  const holder = await pool.connect()
  await holder.query('begin; lock table one')
  const started = Date.now()
  await assert.rejects(migrate(connectionString, [migration('x/004.sql', 'alter table one add m int')]), /lock timeout/)
  assert.ok(Date.now() - started < 4000)
  await holder.query('rollback')
  holder.release()
})

test('the platform comes first, then the modules in their order, by number', () => {
  const folders = listMigrations().map(({ id }) => id.split('/')[0] ?? '')
  const order = ['platform', ...modules]
  assert.deepEqual(
    folders,
    folders.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)),
  )
  assert.equal(folders[0], 'platform')
  assert.ok(listMigrations('accounts').every(({ id }) => /^(platform|markets|files|accounts)\//.test(id)))
})

test('V-64 a new market needs no migration: no table lists the markets', async () => {
  const whole = await testDatabase()
  const { rows } = await whole.pool.query(
    `select conrelid::regclass::text as "table", pg_get_constraintdef(oid) as rule from pg_constraint where contype = 'c' and pg_get_constraintdef(oid) ~ '''(gb|fr)'''`,
  )
  assert.deepEqual(rows, [])
})
