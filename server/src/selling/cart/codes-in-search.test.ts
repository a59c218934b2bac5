import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import { connectSearch, productsIndex, rebuildIndex } from '#listing'
import { testDatabase, useSettings } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { handlers, jobs } from '../../goods/listing/jobs.ts'
import { testEngine } from '../../goods/listing/test-engine.ts'
import { addOffer, fillShop } from '../checkout/testing.ts'

/** Coupon codes of offers in the search API, which answers anybody who has its public key. */

const operatorKey = 'an-operator-key-of-thirty-two-bytes'
const adminKey = 'a-search-key-of-the-operator'
useSettings({ OPERATOR_API_KEY: operatorKey, SEARCH_ADMIN_KEY: adminKey })
const database = await testDatabase()
await fillShop(database)
const gateway = await testGateway(database.pool)
const engine = await testEngine()
connectSearch(engine)

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
async function makeCoupon(code: string, more: object = {}): Promise<void> {
  const answer = await fetch(`${gateway.url}/api/v1/operator/coupons/gb/${code}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'percent', value: 10, startsOn: day(-3), endsOn: day(30), ...more }),
  })
  assert.ok(answer.ok, await answer.text())
}
async function offerNaming(id: string, code: string): Promise<void> {
  await addOffer(database, { id })
  await database.db.run({ name: 'test.name-code', text: 'update catalogue.offer set coupon_code = $2 where id = $1' }, [id, code])
}
async function search(key: string, params: object): Promise<string> {
  const answer = await fetch(`${gateway.url}/search-engine/1/indexes/${productsIndex('gb')}/query`, {
    method: 'POST',
    headers: { 'x-algolia-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '', hitsPerPage: 50, ...params }),
  })
  assert.equal(answer.status, 200)
  return answer.text()
}
const indexed = () => search('purlin-search', {})

test('the search API returns the codes that everybody may use, and none that is for some customers or one', async () => {
  await makeCoupon('OPEN10')
  await makeCoupon('DEAR10', { audience: 'high-value' })
  await database.pool.query(
    `insert into cart.coupon (code, market, kind, value, min_amount, starts_on, ends_on, per_customer_limit, customer_id)
     values ('MINE10', 'gb', 'percent', 10, 0, $1, $2, 1, gen_random_uuid())`,
    [day(-3), day(30)],
  )
  await offerNaming('6001', 'OPEN10')
  await offerNaming('6002', 'DEAR10')
  await offerNaming('6003', 'MINE10')
  await offerNaming('6004', 'UNKNOWN10')
  await rebuildIndex({ db: database.db, engine })
  const found = await indexed()
  for (const id of ['6001', '6002', '6003', '6004']) assert.ok(found.includes(`"offerId":"${id}"`), id)
  assert.deepEqual(
    ['OPEN10', 'DEAR10', 'MINE10', 'UNKNOWN10'].filter((code) => found.includes(code)),
    ['OPEN10', 'UNKNOWN10'],
  )
  // Nor by a query for it, and not even for the operator's key.
  for (const key of ['purlin-search', adminKey])
    assert.ok(!(await search(key, { query: 'DEAR10' })).replace('"query":"DEAR10"', '').includes('"DEAR10"'), key)
})

test('a code that offers name already leaves the index when a coupon for some customers is made with it', async () => {
  assert.ok((await indexed()).includes('UNKNOWN10'))
  await makeCoupon('UNKNOWN10', { audience: 'high-value' })
  await runWork(database, handlers, jobs)
  const found = await indexed()
  assert.ok(found.includes('"offerId":"6004"') && !found.includes('UNKNOWN10'))
  await sleep(500)
  await runWork(database, handlers, jobs)
  const { rows } = await database.pool.query<{ tags: string[] }>('select tags from platform.purge_log')
  assert.ok(rows.some(({ tags }) => tags.includes('card:6004')))
})
