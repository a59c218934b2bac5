/** The operators' analytics of searches, from tables as full as those of a shop with many visitors. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPool } from '#platform'
import { testDatabase, useSettings, webPool } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { maxQueriesOfDay } from './analytics-store.ts'

const operatorKey = 'test-operator-key'
useSettings({ OPERATOR_API_KEY: operatorKey })
const database = await testDatabase()
const pool = webPool(database)
const gateway = await testGateway(pool)
after(async () => {
  await gateway.close()
  await pool.end()
})

test('R-520 analytics of two weeks with as many searches as are counted are returned, and hold up no other system meanwhile', async () => {
  const filling = createPool({ connectionString: database.connectionString, limits: false })
  await filling.query(
    `insert into merchandising.query_day (market, day, query, searches, without_results)
     select 'gb', current_date - d, 'query number ' || ((q * 7919 + d * 13) % 40000), 3, q % 2
     from generate_series(0, 13) d, generate_series(1, $1::int) q on conflict do nothing`,
    [maxQueriesOfDay],
  )
  await filling.end()

  let isOver = false
  const keys = new Set<number>()
  const asking = (async () => {
    while (!isOver) {
      keys.add((await fetch(`${gateway.url}/api/v1/push/key`)).status)
      await sleep(20)
    }
  })()
  const answer = await fetch(`${gateway.url}/api/v1/operator/search/gb/analytics`, { headers: { authorization: `Bearer ${operatorKey}` } })
  isOver = true
  await asking
  assert.equal(answer.status, 200)
  const { popular } = (await answer.json()) as { popular: object[] }
  assert.equal(popular.length, 100)
  assert.deepEqual([...keys], [200])
})
