/** Clicks and conversions of the shop's own pages, as their script sends them. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { connectSearch, rebuildIndex, watchSearches } from '#listing'
import { testDatabase, useSettings } from '#platform/testing'
import { newVisitorId } from '../../people/consent/issued-visitor.ts'
import { testGateway } from '../../edges/gateway/testing.ts'
import { impressionOf } from '../listing/impression.ts'
import { testEngine } from '../listing/test-engine.ts'
import { testOffer, testProduct, testReference } from '../listing/test-shop.ts'
import { forgetSearchesOf } from './analytics-store.ts'

const operatorKey = 'test-operator-key'
useSettings({ OPERATOR_API_KEY: operatorKey })
const database = await testDatabase()
const { db, pool } = database
await testReference(db)
for (let id = 1; id <= 5; id++) {
  await testProduct(db, { id, title: `Garden brush ${id}`, popularity: 100 - id })
  await testOffer(db, { id: id * 10, productId: id, price: 1_000 })
}
const engine = await testEngine()
connectSearch(engine)
watchSearches(() => undefined)
await rebuildIndex({ db, engine, markets: ['gb'] })
const gateway = await testGateway(pool)

beforeEach(async () => {
  await pool.query('truncate merchandising.search_event, merchandising.asked, merchandising.query_day, merchandising.category_day')
})

interface Seen {
  queryId: string
  shown: string[]
}
async function see(input: string): Promise<Seen> {
  const { body } = await gateway.post(`{ listing(input: { ${input} }) { impressionId cards { productId } } }`)
  const { listing } = (body as { data: { listing: { impressionId: string; cards: { productId: string }[] } } }).data
  return { queryId: listing.impressionId, shown: listing.cards.map(({ productId }) => productId) }
}

const visitorId = newVisitorId()
const consented = `mm_consent=v1:userPreferences; mm_visitor_id=${visitorId}`
const person = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
async function send(event: object, { from = '203.0.113.5', cookie = consented, userAgent = person, host = 'gb.localhost:3000' } = {}) {
  const { statusCode } = await gateway.app.inject({
    method: 'POST',
    url: '/api/v1/search-events',
    remoteAddress: from,
    headers: { host, cookie, 'user-agent': userAgent, 'sec-fetch-site': 'same-origin' },
    payload: event,
  })
  return statusCode
}

const words = { kind: 'search', query: 'Brush', type: 'click', position: 2 }
const shelf = { kind: 'category', id: 11, type: 'click', position: 1 }

async function analytics() {
  const { payload } = await gateway.app.inject({
    url: '/api/v1/operator/search/gb/analytics',
    headers: { authorization: `Bearer ${operatorKey}` },
  })
  const { popular, categories } = JSON.parse(payload) as {
    popular: { query: string; clicks: number; conversions: number }[]
    categories: object[]
  }
  return { queries: popular.map(({ query, clicks, conversions }) => ({ query, clicks, conversions })), categories }
}
const nothing = { queries: [], categories: [] }
const stored = async (table = 'search_event') =>
  (await pool.query<{ n: number }>(`select count(*)::int as n from merchandising.${table}`)).rows[0]?.n

test('R-520 V-10 a product chosen in a page’s list and bought reaches the analytics, once for a network, list and product', async () => {
  const seen = await see('kind: search, query: "brush"')
  assert.equal(seen.shown.length, 5)
  for (let sent = 0; sent < 3; sent++) assert.equal(await send({ ...words, ...seen }), 204)
  assert.equal(await send({ ...words, ...seen, type: 'conversion' }), 204)
  assert.equal(await send({ ...words, ...seen, type: 'conversion' }), 204)
  assert.deepEqual(await analytics(), { queries: [{ query: 'brush', clicks: 1, conversions: 1 }], categories: [] })
  await send({ ...words, ...seen }, { from: '198.51.100.7' })
  await send({ ...words, ...seen, position: 3 })
  assert.deepEqual(await analytics(), { queries: [{ query: 'brush', clicks: 3, conversions: 1 }], categories: [] })
  const { rows } = await pool.query<{ chosen: string[] }>(
    `select array_agg(distinct product_ids[1]) as chosen from merchandising.search_event where query_id = $1`,
    [seen.queryId],
  )
  assert.deepEqual(rows[0]?.chosen.toSorted(), [seen.shown[1], seen.shown[2]].toSorted(), 'the places are those of the list')
})

test('R-520 what is chosen in a category counts for the category, and no search learns from it', async () => {
  const seen = await see('kind: category, id: 11')
  await send({ ...shelf, ...seen })
  await send({ ...shelf, ...seen, type: 'conversion' })
  assert.deepEqual(await analytics(), { queries: [], categories: [{ categoryId: 11, clicks: 1, conversions: 1 }] })
  assert.equal(await stored('asked'), 0)
})

test('R-520 a search in its own order is learned from, and none that was sorted or is a later page', async () => {
  const teaches = async (input: string) => {
    await pool.query('truncate merchandising.asked')
    const seen = await see(`kind: search, query: "brush", ${input}`)
    assert.equal(await send({ ...words, ...seen, position: 1 }), 204)
    return (await stored('asked')) === 1
  }
  assert.equal(await teaches('pageSize: 4'), true)
  assert.equal(await teaches('pageSize: 4, page: 2'), false)
  assert.equal(await teaches('pageSize: 4, sort: price_asc'), false)
})

test('R-515 R-520 without consent to preferences, and from crawlers, nothing is stored', async () => {
  const seen = await see('kind: search, query: "brush"')
  const event = { ...words, ...seen }
  for (const cookie of ['', 'mm_consent=v1:', 'mm_consent=v1:statistics,personalisedAdvertising'])
    assert.equal(await send(event, { cookie }), 204, cookie)
  assert.equal(await send(event, { userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' }), 204)
  assert.deepEqual([await analytics(), await stored()], [nothing, 0])
})

test('V-10 an event is refused with a query id, products, a query, a place or a market that this shop did not show', async () => {
  const seen = await see('kind: search, query: "brush"')
  const event = { ...words, ...seen }
  const { queryId, shown } = seen
  const old = impressionOf({ market: 'gb', kind: 'search', query: 'brush', shown }, true, new Date(Date.now() - 2 * 86_400_000))
  const forged = [
    { ...event, queryId: `${queryId.slice(0, 5)}${'0'.repeat(27)}` },
    // The order it was shown in, and the day.
    { ...event, queryId: `${queryId.slice(0, 4)}0${queryId.slice(5)}` },
    { ...event, queryId: 'a'.repeat(32) },
    { ...event, queryId: old },
    { ...event, shown: ['999', ...shown.slice(1)] },
    { ...event, shown: shown.toReversed() },
    { ...event, query: 'broom' },
    { ...event, kind: 'category', id: 11 },
    { ...event, position: shown.length + 1 },
    { ...event, position: 0 },
    { ...event, type: 'view' },
    { ...event, shown: 'all' },
  ]
  for (const one of forged) assert.equal(await send(one), 400, JSON.stringify(one))
  assert.equal(await send(event, { host: 'de.localhost:3000' }), 400)
  assert.deepEqual([await analytics(), await stored()], [nothing, 0])
  const yesterday = impressionOf({ market: 'gb', kind: 'search', query: 'brush', shown }, true, new Date(Date.now() - 86_400_000))
  assert.equal(await send({ ...event, queryId: yesterday }), 204, 'a page of yesterday may still be open')
  assert.equal(await stored(), 1)
})

test('a query that names a person reaches no analytics', async () => {
  const seen = { shown: ['1', '2'] }
  const query = 'ana.perez@example.com'
  const queryId = impressionOf({ market: 'gb', kind: 'search', query, ...seen }, true, new Date())
  assert.equal(await send({ ...words, ...seen, query, queryId }), 204)
  assert.deepEqual([await analytics(), await stored(), await stored('asked')], [nothing, 0, 0])
})

test('V-10 R-520 beyond its quota a sender gets the same response, and its events are not stored', async () => {
  const from = '203.0.113.99'
  const shown = ['1', '2']
  const queryId = impressionOf({ market: 'gb', kind: 'category', id: 11, shown }, false, new Date())
  const event = { ...shelf, shown, queryId }
  for (let sent = 0; sent < 2000; sent += 50) await Promise.all(Array.from({ length: 50 }, () => send(event, { from, cookie: '' })))
  assert.equal(await send(event, { from }), 204)
  assert.equal(await stored(), 0)
  assert.equal(await send(event), 204)
  assert.equal(await stored(), 1)
})

test('R-520 events are kept under the id of the visitor, by which a withdrawal deletes them', async () => {
  assert.equal(await send({ ...shelf, ...(await see('kind: category, id: 11')) }), 204)
  await forgetSearchesOf(db, visitorId)
  assert.equal(await stored(), 0)
})

test('the query id of a list is the same for all its readers, and another for a list in another order', async () => {
  const [one, other] = [await see('kind: category, id: 11'), await see('kind: category, id: 11')]
  assert.deepEqual(one, other)
  const sorted = await see('kind: category, id: 11, sort: newest, pageSize: 2')
  assert.notEqual(one.queryId, sorted.queryId)
  const { body } = await gateway.post('{ listing(input: { kind: brand, id: 1 }) { impressionId } }')
  assert.deepEqual((body as { data: object }).data, { listing: { impressionId: null } })
})
