import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadJobs } from '../../edges/worker/load-jobs.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { readRegister } from './personal-data.ts'
import { all, database, pool } from './test-erasure.ts'
import type { Column } from './test-planted-values.ts'
import { dropChecks, readColumns } from './test-planting.ts'

/** Columns that the register of personal data declares as passing with time, against the retention schedules. */

/** Columns that empty when something else than time is over, or by other means than a schedule. */
const otherwise: Readonly<Record<string, string>> = {
  'credit.mandate': 'the account, once the credit provider has the mandate',
  'refunds.refund': 'the account, once the transfer has arrived',
  'platform.quota': 'expired counters, by the library that counts',
}
/** Fourteen months are over. */
const longAgo = new Date()
longAgo.setUTCMonth(longAgo.getUTCMonth() - 15)
/** As of long ago: such ids are in order of time. */
const oldId = '00000000-0000-7000-8000-000000000001'
const known: Readonly<Record<string, string>> = { market: 'gb', mode: 'b2c' }

function valueOf({ name, type, sqlType }: Column): string {
  if (known[name] !== undefined && type === 'text') return known[name]
  if (type === 'uuid') return oldId
  if (type === 'date' || type.startsWith('timestamp')) return longAgo.toISOString()
  if (type === 'jsonb' || type === 'json') return '{}'
  if (type === 'ARRAY') return sqlType === '_uuid' ? `{${oldId}}` : '{}'
  if (type === 'boolean') return 'false'
  if (type === 'bytea') return '\\x00'
  return type === 'text' || type === 'character varying' ? 'long ago' : '1'
}

test('what the register says passes with time is gone fifteen months later', async () => {
  const tables = [...readRegister()].flatMap(([table, fates]) =>
    [...fates.values()].includes('passing') && !otherwise[table] ? [table] : [],
  )
  const columns = await readColumns()
  await dropChecks()
  const client = await pool.connect()
  await client.query('set session_replication_role = replica')
  for (const table of tables) {
    const own = columns.filter((column) => column.table === table && !column.isGenerated)
    const places = own.map(({ sqlType }, at) => `$${at + 1}::text::${sqlType}`)
    await client.query(
      `insert into ${table} (${own.map(({ name }) => `"${name}"`).join(', ')}) values (${places.join(', ')})`,
      own.map(valueOf),
    )
  }
  client.release(true)
  // Checkout sweeps what orders holds for it.
  const modules = new Set(['checkout', ...tables.map((table) => table.split('.')[0] ?? '')])
  const { jobs, schedules } = await loadJobs()
  const own = schedules.filter(({ name }) => modules.has(name.split('.')[0] ?? ''))
  for (const { run } of own) await database.command({}, run)
  await runWork(database, [], jobs)
  const left: string[] = []
  for (const table of tables) {
    const { name } = columns.find((column) => column.table === table && column.type.startsWith('timestamp')) ?? {}
    const old = name === undefined ? 'true' : `"${name}" <= '${longAgo.toISOString()}'`
    if ((await all(`select 1 from ${table} where ${old} limit 1`)).length > 0) left.push(table)
  }
  assert.deepEqual(left, [], 'no schedule deletes these')
})
