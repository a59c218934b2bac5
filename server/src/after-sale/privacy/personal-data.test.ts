import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connectObjectStore, folderStore } from '#files'
import { runWork } from '../../edges/worker/testing.ts'
import { eraseAccount } from './erase-account.ts'
import { readRegister } from './personal-data.ts'
import { useSettings } from '../../foundation/platform/settings.ts'
import { all, database, gateway, jobIsDue, provider, work } from './test-erasure.ts'
import { plantEverywhere, readColumns } from './test-planting.ts'

/** The register of personal data against the database, and against an erasure. */

const folder = mkdtempSync(join(tmpdir(), 'personal-data-'))
connectObjectStore(folderStore(folder))
process.once('beforeExit', () => rmSync(folder, { recursive: true, force: true }))

test('every column of the database has one entry in the register of personal data, and no entry is of a column that is gone', async () => {
  const inDatabase = (await readColumns()).map(({ table, name }) => `${table}.${name}`)
  const entries = [...readRegister()].flatMap(([table, columns]) => [...columns.keys()].map((name) => `${table}.${name}`))
  assert.deepEqual(
    inDatabase.filter((column) => !entries.includes(column)),
    [],
    'say in personal-data.ts whose data it is',
  )
  assert.deepEqual(
    entries.filter((column) => !inDatabase.includes(column)),
    [],
    'these are gone',
  )
})

test('a line of the register that names a column twice or an unknown fate cannot be read', () => {
  assert.throws(() => readRegister('a.b | nothing: c'), /nothing is no fate/)
  assert.throws(() => readRegister('a.b | key: c | none: c'), /c twice/)
})

test('the registers of the shop and of the embedded providers are read with the operators’ key, and by nobody else', async (t) => {
  t.after(() => useSettings(provider.settings))
  const key = 'an-operator-key-of-thirty-two-bytes'
  useSettings({ ...provider.settings, OPERATOR_API_KEY: key })
  const read = (authorization: string) => fetch(`${gateway.url}/api/v1/operator/personal-data`, { headers: { authorization } })
  assert.equal((await read('Bearer guessed-key-of-some-thirty-two-bytes')).status, 401)
  const answer = await read(`Bearer ${key}`)
  assert.equal(answer.status, 200)
  const { tables, providers } = (await answer.json()) as Record<'tables' | 'providers', Record<string, Record<string, string>>>
  assert.equal(tables['profile.consent']?.['phone'], 'deleted')
  assert.equal(providers['identity.account']?.['email'], 'deleted')
})

test('erasure: of a customer with data in every personal column none is left, except what the register says the law keeps', async () => {
  const { erase, email, values } = await plantEverywhere()
  const holding = async () => {
    const found: string[] = []
    for (const [column, value] of values) {
      const [, table = '', name = ''] = /^(.+)\.(\w+)$/.exec(column) ?? []
      const rows = await all(
        `select 1 from ${table} where case when pg_typeof("${name}")::text = 'bytea' then "${name}"::text = $1 else
           position($1 in "${name}"::text) > 0 or position($1 in to_jsonb("${name}")::text) > 0 end limit 1`,
        [/zz-[\w.]+/.exec(value)?.[0] ?? value],
      )
      if (rows.length > 0) found.push(column)
    }
    return found
  }
  const before = await holding()
  assert.deepEqual(
    [...values.keys()].filter((column) => !before.includes(column)),
    [],
    'every personal column holds data of the customer before',
  )
  assert.deepEqual(await erase((scope) => eraseAccount(scope, email)), { ok: true })
  await runWork(database, [], work)
  // Calls to providers are not among the jobs of this test.
  assert.deepEqual(await all(`select name, last_error from platform.job where last_error not like 'No module defines%'`), [])
  await jobIsDue()
  await runWork(database, [], work)
  assert.deepEqual(await holding(), [], 'the register says that an erasure empties these')
})
