import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { forgetSwitches } from '@purlin/server/foundation/flags/index.ts'
import { forgetHeader } from '@purlin/server/goods/header/index.ts'
import { whileTablesFail, whileTablesHang } from '@purlin/server/foundation/platform/failures-for-tests.ts'
import { testDatabase, webPool } from '@purlin/server/foundation/platform/testing.ts'
import { callsOfSystems, whileCalled } from '@purlin/server/edges/gateway/calls-for-tests.ts'
import { impressionOf } from '@purlin/server/goods/listing/impression.ts'
import { testOffer, testProduct, testReference } from '@purlin/server/goods/listing/test-shop.ts'
import { isOptional, modules } from '@purlin/server/modules.ts'
import { forgetRecommendations } from '@purlin/server/selling/recommendations/recommend.ts'
import { slowerPages, type PageTimes } from './page-times.ts'
import { serveShop, type AskOptions } from './serve-shop.ts'

/**
 * Each system that learns fails, or hangs, alone and together with the others; the pages stay whole and as fast, and goods reach the basket.
 * The process has the connections of production, and while a system hangs its calls go on arriving, thirty at the same time.
 */

const database = await testDatabase()
await testReference(database.db)
for (const id of [1, 2, 3]) {
  await testProduct(database.db, { id, title: `Drill ${id}`, categoryId: 11 })
  await testOffer(database.db, { id: id * 10, productId: id, price: 10_000 })
}
const pool = webPool(database)
const shop = await serveShop({ ...database, pool }, { trustProxy: '127.0.0.1,::1' })
const calls = await callsOfSystems(database.db, shop.gateway.url)
after(async () => {
  await shop.close()
  await pool.end()
})

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
  {
    name: 'search analytics',
    schemas: ['merchandising'],
    call: () => {
      const shown = ['1', '2', '3']
      const queryId = impressionOf({ market: 'gb', kind: 'category', id: 11, shown }, false, new Date())
      return ask('/api/v1/search-events', { json: { kind: 'category', id: 11, type: 'click', position: 1, shown, queryId } })
    },
  },
  { name: 'the newsletter', schemas: ['newsletter'] },
  { name: 'reminders', schemas: ['reminders'] },
  { name: 'segments', schemas: ['segments'] },
  { name: 'consent', schemas: ['consent'], call: () => ask('/api/v1/consent', { json: { choice: 'all' } }) },
]

const paths = [
  ['/', 'Drill 1'],
  ['/x-11', 'Drill 1'],
  ['/p/x-1', 'Drill 1'],
  ['/search/drill', 'Drill 1'],
  ['/cart', '<h1'],
  ['/privacy-choices', '<h1'],
] as const
/** Renderings of each page. */
const rounds = 5

/** Rounds that begin as a process that has just started and remembers nothing. */
const coldRounds = new Set([0, 3])

/** Every page is rendered anew. */
async function shopIsWhole(what: string): Promise<PageTimes> {
  const times = { warm: new Map<string, number[]>(), cold: new Map<string, number[]>() }
  for (let round = 0; round < rounds; round++) {
    shop.storefront.purge(null)
    const took = (path: string, ms: number) => {
      const of = coldRounds.has(round) ? times.cold : times.warm
      of.set(path, [...(of.get(path) ?? []), ms])
    }
    if (coldRounds.has(round)) {
      forgetSwitches()
      forgetHeader()
      forgetRecommendations()
    }
    for (const [path, says] of paths) {
      const startedAt = performance.now()
      let page = await ask(path)
      if (page.status === 301) page = await ask(new URL(page.headers['location'] ?? '/', `http://${host}`).pathname)
      took(path, performance.now() - startedAt)
      assert.equal(page.status, 200, `${what}: ${path}`)
      if (path !== '/') assert.ok(page.body.includes(says), `${what}: ${path}`)
    }
    const query = 'mutation { addToCart(offerId: "10", quantity: 1) { cart { itemCount } refusal { reason } } }'
    const startedAt = performance.now()
    const { body } = await ask('/graphql', { json: { query } })
    took('add to cart', performance.now() - startedAt)
    assert.deepEqual(JSON.parse(body), { data: { addToCart: { cart: { itemCount: 1 }, refusal: null } } }, what)
  }
  return times
}

/** Retries a failing comparison: noise does not repeat, a wait for a failing system does. */
const attempts = 3

/** Whole, and every page as fast as without the failure. */
async function shopGoesOn(what: string, failing: (work: () => Promise<void>) => Promise<void>): Promise<void> {
  const before = await shopIsWhole(`${what}: before`)
  let slower: string[] = []
  await failing(async () => {
    for (let attempt = 0; attempt < attempts; attempt++) {
      slower = slowerPages(await shopIsWhole(what), before)
      if (slower.length === 0) break
    }
  })
  assert.deepEqual(slower, [], what)
}

const all = modules.filter(isOptional)
assert.deepEqual(systems.flatMap(({ schemas }) => schemas).toSorted(), all.toSorted())
/** Statements are ended by the database; a call that gives up later than that waits for nothing. */
const callMs = 5_000

test('with every system that learns broken from the start, pages are whole and as fast, and goods reach the basket', async () => {
  await shopGoesOn('all', (work) => whileTablesFail(database, all, work))
  await shopIsWhole('none')
})

test('with every system that learns hanging from the start, pages are whole and as fast, and the referer service, which needs no database, answers', async () => {
  await shopGoesOn('all', (work) =>
    whileTablesHang(database, all, async () => {
      await work()
      const startedAt = performance.now()
      assert.equal((await ask(`/api/v1/referer/visitor/${randomUUID()}`)).status, 200)
      assert.ok(performance.now() - startedAt < 500)
    }),
  )
  await shopIsWhole('none')
})

for (const { name, schemas, call } of systems)
  for (const [what, failing] of [
    ['fails', whileTablesFail],
    ['hangs', whileTablesHang],
  ] as const)
    test(`R-616 R-620 when ${name} ${what}, its call says so and the shop goes on as fast`, async () => {
      await shopGoesOn(name, (work) =>
        failing(database, schemas, async () => {
          // Under way while pages are asked for.
          const startedAt = performance.now()
          const called = Promise.all(
            Array.from({ length: 3 }, async () => ({ answer: await call?.(), took: performance.now() - startedAt })),
          )
          await (what === 'hangs' ? whileCalled(calls, schemas, work) : work())
          for (const { answer, took } of await called) {
            assert.ok(!answer?.body.includes('hidden_') && !answer?.body.includes('relation'), 'nothing of the database is disclosed')
            assert.ok(took < callMs, `${name}: ${took} ms`)
          }
        }),
      )
    })
