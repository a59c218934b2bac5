import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readSettings } from '@purlin/server/foundation/platform/index.ts'
import { testDatabase, type TestDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { prepare } from './prepare.ts'

const folder = mkdtempSync(join(tmpdir(), 'prepare-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const quiet = { step: () => undefined, done: () => undefined }

async function start(database: TestDatabase, demo: 'on' | 'off', searchDir: string): Promise<void> {
  const env = { DEMO: demo, SEARCH_DIR: join(folder, searchDir), DATABASE_URL: database.connectionString }
  await prepare(database.connectionString, readSettings(env, ['--products', '30']), quiet)
}

/** Number of rows and a digest of every table of the shop. */
async function contentsOf({ pool }: TestDatabase): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ name: string }>(
    `select schemaname || '.' || tablename as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
  )
  const contents: Record<string, string> = {}
  for (const { name } of rows) {
    const digest = await pool.query(
      `select count(*) || ' ' || md5(coalesce(string_agg(t::text, '' order by t::text), '')) as digest from ${name} t`,
    )
    contents[name] = digest.rows[0].digest
  }
  return contents
}

test('V-52 with DEMO=off an empty database stays empty, and a second start changes nothing, with the demo or without', async () => {
  const database = await testDatabase()
  await start(database, 'off', 'empty')
  const before = await contentsOf(database)
  for (const table of ['catalogue.product', 'catalogue.category', 'sellers.seller', 'merchandising.synonym'])
    assert.match(before[table] ?? '', /^0 /, table)
  await start(database, 'off', 'empty')
  assert.deepEqual(await contentsOf(database), before)
})

test('V-52 a shop with a category of its own is never filled with the demo', async () => {
  const database = await testDatabase()
  await start(database, 'off', 'own')
  await database.pool.query(
    `insert into catalogue.category (id, level, position, path, department, names, slugs) values (1, 0, 1, '{1}', 'tools', '{}', '{}')`,
  )
  const before = await contentsOf(database)
  await start(database, 'on', 'own')
  assert.deepEqual(await contentsOf(database), before)
})

test('V-52 an empty database is filled with the demo, once: a second start changes nothing', async () => {
  const database = await testDatabase()
  await start(database, 'on', 'demo')
  const before = await contentsOf(database)
  assert.match(before['catalogue.product'] ?? '', /^30 /)
  await start(database, 'on', 'demo')
  assert.deepEqual(await contentsOf(database), before)
  await database.pool.query(`delete from platform.note where key = 'demo-shop'`)
  await start(database, 'on', 'demo')
  assert.equal((await contentsOf(database))['catalogue.product'], before['catalogue.product'], 'cut off after the goods, it goes on')
})
