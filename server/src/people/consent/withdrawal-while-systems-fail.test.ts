import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { consentPurposes } from '@purlin/contract/consent.ts'
import { newId } from '#platform'
import { testDatabase } from '#platform/testing'
import { loadJobs } from '../../edges/worker/load-jobs.ts'
import { runWork } from '../../edges/worker/testing.ts'

/** A withdrawal reaches every system that stores something about visitors, while any one of them cannot find its tables. */

const database = await testDatabase()
const { pool } = database
const { handlers } = await loadJobs()

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
    await pool.query(`alter schema ${broken} rename to hidden`)
    try {
      await database.command({}, async ({ emit }) =>
        emit('consent.withdrawn', { visitorId, customerId: null, withdrawn: [...consentPurposes] }),
      )
      await runWork(database, handlers)
      const others = systems.filter((system) => system !== broken)
      assert.deepEqual(await left(visitorId, others), [])
    } finally {
      await pool.query(`alter schema hidden rename to ${broken}`)
    }
    assert.deepEqual(await left(visitorId, systems), [broken])
    await pool.query('update platform.outbox set available_at = now()')
    await runWork(database, handlers)
    assert.deepEqual(await left(visitorId, systems), [])
  })
