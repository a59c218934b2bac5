/** Clicks that anybody can send, for two weeks and from many networks, through the endpoint, the nightly work and the index. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { connectSearch, productsIndex, rebuildIndex, watchSearches } from '#listing'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { testEngine } from '../listing/test-engine.ts'
import { testOffer, testProduct, testReference } from '../listing/test-shop.ts'
import { applyLevers } from './apply-levers.ts'
import { handlers, jobs, schedules } from './jobs.ts'
import { flushSearches, noteSearch } from './watch-searches.ts'

const database = await testDatabase()
const { db, pool } = database
await testReference(db)
const count = 30
// All equally popular, at prices of their own: among these the least weight shows.
for (let id = 1; id <= count; id++) {
  await testProduct(db, { id, title: `Garden brush ${id}`, popularity: 100 })
  await testOffer(db, { id: id * 10, productId: id, price: 1_000 + ((id * 7) % count) * 100 })
}
const engine = await testEngine()
connectSearch(engine)
watchSearches(noteSearch)
await rebuildIndex({ db, engine, markets: ['gb'] })
const gateway = await testGateway(pool, { trustProxy: '127.0.0.1' })

const inputs = ['kind: category, id: 11', 'kind: brand, id: 1', 'kind: search, query: "brush"']
interface Shown {
  queryId: string | null
  impressionId: string | null
  ids: string[]
}
async function list(input: string): Promise<Shown> {
  const { body } = await gateway.post(`{ listing(input: { ${input}, pageSize: 48 }) { queryId impressionId cards { productId } } }`)
  const { cards, ...listing } = (body as { data: { listing: Shown & { cards: { productId: string }[] } } }).data.listing
  return { ...listing, ids: cards.map(({ productId }) => productId) }
}
const lists = () => Promise.all(inputs.map(async (input) => (await list(input)).ids))

/** An id that the shop has issued: nothing keeps a forger from getting one. */
async function issuedVisitor(): Promise<string> {
  const { headers } = await fetch(`${gateway.url}/api/v1/consent`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ choice: 'some', purposes: ['userPreferences'] }),
  })
  const id = /mm_visitor_id=([^;]+)/.exec(headers.getSetCookie().join('\n'))?.[1]
  assert.ok(id)
  return id
}
const issued = await issuedVisitor()

async function click(queryID: string, productIds: readonly string[], from: string, visitor = issued): Promise<void> {
  const event = { eventName: 'card', index: productsIndex('gb'), userToken: 'visitor-1', objectIDs: productIds, queryID }
  const { status } = await fetch(`${gateway.url}/search-engine/1/events`, {
    method: 'POST',
    headers: {
      'x-algolia-api-key': 'purlin-search',
      cookie: `mm_consent=v1:userPreferences; mm_visitor_id=${visitor}`,
      'x-forwarded-for': from,
    },
    body: JSON.stringify({ events: ['click', 'conversion'].map((eventType) => ({ ...event, eventType })) }),
  })
  assert.equal(status, 200)
}

const range = (length: number) => Array.from({ length }, (_, at) => at)
/** Fifty IPv4 addresses far from each other, and thirty networks of each of five IPv6 lines. */
const forgers = [...range(50).map((at) => `45.${at + 1}.7.9`), ...range(150).map((at) => `2a01:4f8:${(at % 5) + 1}:${at.toString(16)}::1`)]
/** As the script of a page sends it. */
async function choose({ impressionId: queryId, ids: shown }: Shown, productId: string, from: string): Promise<void> {
  for (const type of ['click', 'conversion']) {
    const { status } = await fetch(`${gateway.url}/api/v1/search-events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: 'mm_consent=v1:userPreferences', 'x-forwarded-for': from },
      body: JSON.stringify({ type, kind: 'search', query: 'brush', queryId, shown, position: shown.indexOf(productId) + 1 }),
    })
    assert.equal(status, 204)
  }
}

/** What has just happened was on the nth day from today; the day is over, and everything that the worker does at times is done. */
async function night(nth: number): Promise<void> {
  for (const table of ['search_event', 'asked'])
    await pool.query(
      // The id of a page's list is another on another day.
      `update merchandising.${table} set at = at + make_interval(days => $1), query_id = md5(query_id || $1)
       where at between now() - interval '1 hour' and now()`,
      [nth],
    )
  const now = new Date(Date.now() + (nth + 1) * 86_400_000)
  for (const { run } of schedules) await database.command({ now }, (scope) => run(scope as Parameters<typeof run>[0]))
  await runWork(database, handlers, jobs)
  await rebuildIndex({ db, engine, markets: ['gb'] })
  // The worker's clock is the machine's; the nights of this test are ahead of it.
  await applyLevers({ db, engine, now }, 'gb')
}

test(
  'V-10 clicks on the ten dearest products, of fourteen days and two hundred networks of fifty-five lines, move no product by more than one place in any list',
  { timeout: 300_000 },
  async () => {
    const before = await lists()
    assert.deepEqual(
      before.map(({ length }) => length),
      [count, count, count],
    )
    const price = (id: string) => (Number(id) * 7) % count
    for (let day = 1; day <= 14; day++) {
      const shown = await list('kind: search, query: "brush"')
      const { queryId, ids } = shown
      assert.ok(queryId)
      const read = ids.slice(0, 24)
      const dearest = read.toSorted((a, b) => price(b) - price(a)).slice(0, 10)
      await flushSearches(db)
      for (const each of forgers) await click(queryId, dearest, each)
      const { rows } = await pool.query(
        `select count(distinct e.sender_hash)::int as lines, count(*)::int as events from merchandising.search_event e
         join merchandising.asked a using (query_id) where e.at < now() and e.at > now() - interval '1 hour' and a.shown && e.product_ids`,
      )
      assert.deepEqual(rows, [{ lines: 55, events: 1_100 }], 'the clicks are stored and belong to a list that showed the products')
      // As scripts of pages send them, too.
      for (const each of forgers.slice(0, 25)) await choose(shown, dearest[0] ?? '', each)
      await night(day)
      const after = await lists()
      for (const [at, ids] of before.entries())
        for (const [place, id] of ids.entries())
          assert.ok(
            Math.abs((after[at]?.indexOf(id) ?? -9) - place) <= 1,
            `${inputs[at]}: product ${id} from place ${place + 1} to ${(after[at]?.indexOf(id) ?? -9) + 1} in night ${day}`,
          )
    }
    const { rows } = await pool.query('select distinct popularity from catalogue.product')
    assert.deepEqual(rows, [{ popularity: 100 }])
  },
)

test('V-10 clicks of visitors whose id this server did not issue, and of our own network, are of nobody', async () => {
  const { queryId } = await list('kind: search, query: "brush"')
  assert.ok(queryId)
  await pool.query('truncate merchandising.search_event')
  await click(queryId, ['1'], '45.1.7.9', '0190a2b4-0000-7000-8000-000000000001')
  await click(queryId, ['1'], '10.0.0.7')
  const { rows } = await pool.query('select distinct sender_hash from merchandising.search_event')
  assert.deepEqual(rows, [{ sender_hash: null }])
})

test('what clicks had added to the popularity of a product is taken away by the upgrade, and the product is indexed again', async () => {
  await pool.query('update catalogue.product set popularity = popularity + 3 where id = 7')
  await pool.query('insert into merchandising.click_weight values (7, 3)')
  await pool.query(`insert into merchandising.click_day values ('2026-11-24', 7, 50, 100)`)
  const text = await readFile(new URL('./202611252055-clicks-weigh-nothing.backfill.sql', import.meta.url), 'utf8')
  const run = async () => (await pool.query<{ key: string }>(text, [null, 100])).rows
  assert.deepEqual([await run(), await run()], [[{ key: '7' }], []])
  const { rows } = await pool.query('select popularity from catalogue.product where id = 7')
  assert.deepEqual(rows, [{ popularity: 100 }])
  assert.deepEqual((await database.events()).at(-1), { type: 'product.changed', payload: { productId: '7' } })
  const left = await pool.query('select product_id from merchandising.click_day union select product_id from merchandising.click_weight')
  assert.deepEqual(left.rows, [])
})
