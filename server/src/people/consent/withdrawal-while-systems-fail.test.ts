import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { consentPurposes } from '@purlin/contract/consent.ts'
import { newId } from '#platform'
import { testDatabase } from '#platform/testing'
import { loadJobs } from '../../edges/worker/load-jobs.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { whileTablesFail } from '../../foundation/platform/failures-for-tests.ts'
import { repeatWithdrawal, withdraw as withdrawConsent } from './withdraw.ts'

/** A withdrawal reaches every system that stores something about visitors, while any one of them cannot find its tables. */

const database = await testDatabase()
const { pool } = database
const { handlers, jobs } = await loadJobs()
const work = () => runWork(database, handlers, jobs)

/** A row of a visitor in each system. */
const rows: Record<string, { table: string; column: string; insert: string }> = {
  push: {
    table: 'push.subscription',
    column: 'visitor_id',
    insert: `insert into push.subscription (id, endpoint, p256dh, auth, market, mode, origin, visitor_id)
      values ($2, $2::uuid::text, 'p', 'a', 'gb', 'b2c', 'https://shop.example', $1)`,
  },
  insights: {
    table: 'insights.event',
    column: 'visitor_id',
    insert: `insert into insights.event (day, id, market, mode, visitor_id, name, page_name, page_type, device, purposes, data, at)
      values (current_date, $2, 'gb', 'b2c', $1, 'page_view', 'home', 'home', 'mobile', '{statistics}', '{}', now())`,
  },
  merchandising: {
    table: 'merchandising.search_event',
    column: 'user_token',
    insert: `insert into merchandising.search_event (id, market, type, user_token, product_ids) values ($2, 'gb', 'click', $1::uuid::text, '{1}')`,
  },
  experiments: {
    table: 'experiments.exposure',
    column: 'visitor_id',
    insert: `insert into experiments.exposure (campaign_id, visitor_id, variation_id, unit) values (1, $1, 1, $2)`,
  },
  history: {
    table: 'history.entry',
    column: 'visitor_id',
    insert: `insert into history.entry (customer_id, product_id, viewed_at, visitor_id) values ($2, 1, now(), $1)`,
  },
}
const systems = Object.keys(rows)

async function left(visitorId: string, of: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const system of of) {
    const { table, column } = rows[system] ?? assert.fail(system)
    const { rowCount } = await pool.query(`select 1 from ${table} where ${column}::text = $1`, [visitorId])
    if (rowCount) found.push(system)
  }
  return found
}

for (const broken of systems)
  test(`a withdrawal while ${broken} fails deletes what the other systems have stored, and the rest once it works again`, async () => {
    const visitorId = randomUUID()
    for (const { insert } of Object.values(rows)) await pool.query(insert, [visitorId, newId()])
    assert.deepEqual(await left(visitorId, systems), systems)
    await whileTablesFail(database, [broken], async () => {
      await withdraw(visitorId, null)
      await work()
      const others = systems.filter((system) => system !== broken)
      assert.deepEqual(await left(visitorId, others), [])
    })
    assert.deepEqual(await left(visitorId, systems), [broken])
    await recover()
    assert.deepEqual(await left(visitorId, systems), [])
  })

async function recover(): Promise<void> {
  await pool.query('update platform.job set run_at = now() where attempts > 0')
  await work()
}

/** Jobs of withdrawals that have failed so far, and are tried again. */
async function failing(): Promise<number> {
  const { rows } = await pool.query('select 1 from platform.job where attempts > 0 and parked_at is null')
  return rows.length
}

const store = (visitorId: string, of: readonly string[]) =>
  Promise.all(of.map((system) => pool.query(rows[system]?.insert ?? '', [visitorId, newId()])))
const withdraw = (visitorId: string | null, customerId: string | null, endsId = false) =>
  database.command({}, (scope) => withdrawConsent(scope, { visitorId, customerId, withdrawn: consentPurposes, endsId }))

for (const broken of systems)
  test(`a visitor who withdraws while ${broken} fails, and agrees again before it works, keeps what is stored since then`, async () => {
    const visitorId = randomUUID()
    await whileTablesFail(database, [broken], async () => {
      await withdraw(visitorId, null)
      await work()
      // Two minutes later.
      await database.command({}, (scope) => repeatWithdrawal(scope, { visitorId, purpose: 'userPreferences' }))
      await database.command({}, (scope) => repeatWithdrawal(scope, { visitorId, purpose: 'statistics' }))
      await work()
    })
    await store(visitorId, systems)
    await recover()
    await recover()
    assert.equal(await failing(), 0, 'the withdrawal and its repeats have been handled')
    assert.deepEqual(await left(visitorId, systems), systems)
  })

for (const [what, endsId, expected] of [
  ['goes with the id that no browser has any more', true, []],
  ['stays with an id that is still in use', false, systems],
] as const)
  test(`what is stored after a withdrawal and before it is handled ${what}`, async () => {
    const visitorId = randomUUID()
    await withdraw(visitorId, null, endsId)
    await store(visitorId, systems)
    await work()
    assert.deepEqual(await left(visitorId, systems), expected)
  })

test('withdrawals of customers without a visitor id do not wait for each other, and are tried for as long as others', async () => {
  const [first, second] = [randomUUID(), randomUUID()]
  // Not in the millisecond of the withdrawal.
  const entry = `insert into history.entry (customer_id, product_id, viewed_at) values ($1, 1, now() - interval '1 second')`
  const has = async (id: string) => (await pool.query('select 1 from history.entry where customer_id = $1', [id])).rowCount === 1
  for (const id of [first, second]) await pool.query(entry, [id])
  await whileTablesFail(database, ['insights'], async () => {
    await withdraw(null, first)
    await work()
    await withdraw(null, second)
    await work()
  })
  assert.deepEqual([await has(first), await has(second)], [false, false])
  await pool.query('update platform.job set attempts = 290 where attempts > 0')
  await whileTablesFail(database, ['insights'], recover)
  assert.equal(await failing(), 2, 'both are tried again')
  await recover()
  assert.equal(await failing(), 0)
  assert.equal((await pool.query('select 1 from platform.outbox where done_at is null')).rowCount, 0)
})
