import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { forgetSwitches } from '@purlin/server/foundation/flags/index.ts'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { testOffer, testProduct, testReference } from '@purlin/server/goods/listing/test-shop.ts'
import { forgetRecommendations } from '@purlin/server/selling/recommendations/recommend.ts'
import { serveShop, type AskOptions } from './serve-shop.ts'

/** Each system that learns fails, alone and together with the others; the pages stay whole and as fast, and goods reach the basket. */

const database = await testDatabase()
await testReference(database.db)
for (const id of [1, 2, 3]) {
  await testProduct(database.db, { id, title: `Drill ${id}`, categoryId: 11 })
  await testOffer(database.db, { id: id * 10, productId: id, price: 10_000 })
}
const shop = await serveShop(database)
after(() => shop.close())

const host = 'gb.localhost:3000'
const consent = `mm_consent=v1:statistics,personalisedAdvertising,userPreferences; mm_visitor_id=${randomUUID()}`
const agent = { 'user-agent': 'Mozilla/5.0 Chrome/140 Safari/537.36' }
const ask = (path: string, options: AskOptions = {}) =>
  shop.send({ path, host, cookie: consent, ...options, headers: { ...agent, ...options.headers } })

interface System {
  name: string
  /** Its tables cannot be found any more. */
  schemas: readonly string[]
  /** Its own call, which may fail, and must not hang. */
  call?: () => Promise<{ status: number; body: string }>
}
const event = () => {
  const time = Date.now().toString(16).padStart(12, '0')
  const id = `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
  return { id, name: 'page_view', page: { name: 'home', type: 'home' } }
}
const systems: readonly System[] = [
  {
    name: 'flags and platform config',
    schemas: ['flags'],
    call: () => ask('/graphql', { json: { query: '{ platformConfig { state } }' } }),
  },
  {
    name: 'experiments',
    schemas: ['experiments'],
    call: () =>
      ask('/ab-test/api/v1/user/flags', {
        json: { context: { CHANNEL: 'web', MARKET: 'gb', PLATFORM: 'b2c' }, visitor_id: randomUUID() },
      }),
  },
  {
    name: 'the header services',
    schemas: ['header'],
    call: () => ask('/graphql', { json: { query: '{ header { state menu { state } } }' } }),
  },
  { name: 'the collector', schemas: ['insights'], call: () => ask('/api/v1/events', { json: { events: [event()] } }) },
  {
    name: 'recommendations',
    schemas: ['recommendations'],
    call: () => ask('/graphql', { json: { query: '{ recommendations(placement: article_page, productIds: ["1"]) { source } }' } }),
  },
  {
    name: 'the product history',
    schemas: ['history'],
    call: () => ask('/api/v2/product-history/merge', { json: { content: [] } }),
  },
  { name: 'push messages', schemas: ['push'], call: () => ask('/api/v1/push/key') },
  { name: 'the newsletter', schemas: ['newsletter'] },
  { name: 'consent', schemas: ['consent'], call: () => ask('/api/v1/consent', { json: { choice: 'all' } }) },
]

/** The slowest page of a busy machine; a page that waits for a system takes as long as its timeout. */
const patienceMs = 5_000

async function shopIsWhole(what: string): Promise<void> {
  shop.storefront.purge(null)
  forgetSwitches()
  forgetRecommendations()
  for (const [path, says] of [
    ['/', 'Drill 1'],
    ['/x-11', 'Drill 1'],
    ['/p/x-1', 'Drill 1'],
    ['/search/drill', 'Drill 1'],
    ['/cart', '<h1'],
    ['/privacy-choices', '<h1'],
  ] as const) {
    const startedAt = performance.now()
    let page = await ask(path)
    if (page.status === 301) page = await ask(new URL(page.headers['location'] ?? '/', `http://${host}`).pathname)
    assert.equal(page.status, 200, `${what}: ${path}`)
    if (path !== '/') assert.ok(page.body.includes(says), `${what}: ${path}`)
    assert.ok(performance.now() - startedAt < patienceMs, `${what}: ${path}`)
  }
  const query = 'mutation { addToCart(offerId: "10", quantity: 1) { cart { itemCount } refusal { reason } } }'
  const { body } = await ask('/graphql', { json: { query } })
  assert.deepEqual(JSON.parse(body), { data: { addToCart: { cart: { itemCount: 1 }, refusal: null } } }, what)
}

async function breakWhile(schemas: readonly string[], work: () => Promise<void>): Promise<void> {
  for (const schema of schemas) await database.pool.query(`alter schema ${schema} rename to hidden_${schema}`)
  try {
    await work()
  } finally {
    for (const schema of schemas) await database.pool.query(`alter schema hidden_${schema} rename to ${schema}`)
  }
}

test('with every system that learns broken from the start, pages are whole and goods reach the basket', async () => {
  await breakWhile(
    systems.flatMap(({ schemas }) => schemas),
    () => shopIsWhole('all'),
  )
  await shopIsWhole('none')
})

for (const { name, schemas, call } of systems)
  test(`R-616 R-620 when ${name} fails, its call says so at once and the shop goes on`, async () => {
    await breakWhile(schemas, async () => {
      const startedAt = performance.now()
      const answer = await call?.()
      assert.ok(performance.now() - startedAt < patienceMs, String(answer?.status))
      assert.ok(!answer?.body.includes('hidden_') && !answer?.body.includes('relation'), 'nothing of the database is disclosed')
      await shopIsWhole(name)
    })
  })
