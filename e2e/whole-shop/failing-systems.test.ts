import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { forgetSwitches } from '@purlin/server/foundation/flags/index.ts'
import { forgetHeader } from '@purlin/server/goods/header/index.ts'
import { whileTablesFail, whileTablesHang } from '@purlin/server/foundation/platform/failures-for-tests.ts'
import { testDatabase, webPool } from '@purlin/server/foundation/platform/testing.ts'
import { callsOfSystems, whileCalled } from '@purlin/server/edges/gateway/calls-for-tests.ts'
import { testOffer, testProduct, testReference } from '@purlin/server/goods/listing/test-shop.ts'
import { isOptional, modules } from '@purlin/server/modules.ts'
import { addCompany, addMembership, signIn } from '@purlin/server/people/accounts/testing.ts'
import { forgetRecommendations } from '@purlin/server/selling/recommendations/recommend.ts'
import { addValued } from '@purlin/server/selling/segments/testing.ts'
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
const customer = await addValued(database.db, { customer_value: 'high', loyalty_level: 'gold' })
const { id: companyId } = await addCompany(database.db)
await addMembership(database.db, customer.id, companyId, 'admin')
const member = `__Host-purlin=${(await signIn(database.db, { customerId: customer.id, companyId, family: 'b2b' })).token}`
after(async () => {
  await shop.close()
  await pool.end()
})

const host = 'gb.localhost:3000'
const consent = `mm_consent=v1:statistics,personalisedAdvertising,userPreferences; mm_visitor_id=${randomUUID()}`
const agent = { 'user-agent': 'Mozilla/5.0 Chrome/140 Safari/537.36' }
const ask = (path: string, options: AskOptions & { cookie?: string } = {}) =>
  shop.send({ path, host, cookie: consent, ...options, headers: { ...agent, ...options.headers } })

/** The responses expected from a call while its system fails, and while it hangs: status and body. */
type Said = Readonly<Record<'fails' | 'hangs', RegExp>>
// A call that finds no place in time is refused as well, on a machine that is busy.
const refused: Said = { fails: /^50[03] /, hangs: /^503 / }
/** The same in both cases: most of these go on without what they cannot read. */
const always = (state: RegExp): Said => ({ fails: state, hangs: state })

/** By the schemas of their tables. */
const systems: Readonly<Record<string, { name: string; /** Each of its calls, in order. */ says: readonly Said[] }>> = {
  flags: { name: 'flags and platform config', says: [always(/^200 .*"state":"(failed|loading)"/)] },
  experiments: { name: 'experiments', says: [refused, always(/^503 /)] },
  header: { name: 'the header services', says: [always(/^200 .*"state":"failure"/)] },
  insights: { name: 'the collector', says: [refused, refused, refused] },
  recommendations: { name: 'recommendations', says: [refused] },
  history: { name: 'the product history', says: [refused, refused] },
  push: { name: 'push messages', says: [refused, refused] },
  merchandising: { name: 'search analytics', says: [refused, refused] },
  newsletter: { name: 'the newsletter', says: [refused, refused] },
  reminders: { name: 'reminders', says: [always(/^200 .*"basketReminder":null/), refused] },
  segments: { name: 'segments', says: [refused] },
  consent: { name: 'consent', says: [refused] },
}

function forgetAll(): void {
  forgetSwitches()
  forgetHeader()
  forgetRecommendations()
}

/** Numbers of calls, none of which counts against the quotas of another. */
let n = 30_000

/** The response of each call of a system, as many times as given. */
async function saidBy(schema: string, times = 1): Promise<{ said: string; took: number; at: number }[]> {
  const own = calls[schema] ?? []
  const startedAt = performance.now()
  return Promise.all(
    Array.from({ length: own.length * times }, async (_, index) => {
      const at = index % own.length
      const answer = await own[at]?.(n++)
      return { said: `${answer?.status} ${await answer?.text()}`, took: performance.now() - startedAt, at }
    }),
  )
}

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
    if (coldRounds.has(round)) forgetAll()
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

/** Pages of a signed-in customer that ask for segments, tier and offers. */
const ownPages = [
  ['/customer-area', host, 'id="latest"', `${customer.cookies.b2c}; ${consent}`],
  ['/my-advantages', host, 'id="coupons"', `${customer.cookies.b2c}; ${consent}`],
  ['/pro-at-a-glance', `pro.${host}`, 'data-glance-card', member],
] as const
/** Such a page may try once each whether flags, header and segments still hang. */
const ownPageMs = 2_000

async function customerIsServed(what: string): Promise<void> {
  for (const [path, at, shows, cookie] of ownPages) {
    const startedAt = performance.now()
    const page = await ask(path, { host: at, cookie })
    assert.equal(page.status, 200, `${what}: ${path}`)
    assert.ok(page.body.includes(shows), `${what}: ${path}`)
    assert.ok(!page.body.includes('No tier yet'), `${what}: a customer of tier Gold is denied it`)
    assert.ok(performance.now() - startedAt < ownPageMs, `${what}: ${path}`)
  }
}

/** Retries a failing comparison: noise does not repeat, a wait for a failing system does. */
const attempts = 3

/** Whole, every page as fast as without the failure, and a customer's own pages are there. */
async function shopGoesOn(what: string, failing: (work: () => Promise<void>) => Promise<void>): Promise<void> {
  const before = await shopIsWhole(`${what}: before`)
  let slower: string[] = []
  await failing(async () => {
    for (let attempt = 0; attempt < attempts; attempt++) {
      slower = slowerPages(await shopIsWhole(what), before)
      if (slower.length === 0) break
    }
    await customerIsServed(what)
  })
  assert.deepEqual(slower, [], what)
}

const all = modules.filter(isOptional)
assert.deepEqual(Object.keys(systems).toSorted(), all.toSorted())
/** Statements are ended by the database; a call that gives up later than that waits for nothing. */
const callMs = 5_000

test('while nothing fails, every call of these systems is accepted, and a customer sees their tier', async () => {
  for (const [schema, { name, says }] of Object.entries(systems)) {
    const answers = await saidBy(schema)
    assert.equal(answers.length, says.length, name)
    for (const { said, at } of answers) {
      assert.match(said, /^2/, name)
      for (const what of ['fails', 'hangs'] as const) assert.doesNotMatch(said, says[at]?.[what] ?? /./, name)
    }
  }
  await customerIsServed('before')
  assert.match((await ask('/my-advantages', { cookie: customer.cookies.b2c })).body, /Gold/)
})

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

for (const [schema, { name, says }] of Object.entries(systems))
  for (const [what, failing] of [
    ['fails', whileTablesFail],
    ['hangs', whileTablesHang],
  ] as const)
    test(`R-616 R-620 when ${name} ${what}, its calls say so and the shop goes on as fast`, async () => {
      await shopGoesOn(name, (work) =>
        failing(database, [schema], async () => {
          forgetAll()
          // Under way while pages are asked for.
          const called = saidBy(schema, 3)
          await (what === 'hangs' ? whileCalled(calls, [schema], work) : work())
          for (const { said, took, at } of await called) {
            assert.match(said, says[at]?.[what] ?? /^$/, `${name}, call ${at}`)
            assert.doesNotMatch(said, /hidden_|relation/, 'nothing of the database is disclosed')
            assert.ok(took < callMs, `${name}: ${took} ms`)
          }
        }),
      )
    })
