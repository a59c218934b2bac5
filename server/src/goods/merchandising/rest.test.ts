import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { liteClient } from 'algoliasearch/lite'
import { openSearchEngine } from '@purlin/search/index.ts'
import type { SearchEngine, SearchParams } from '@purlin/search/types.ts'
import { connectSearch, productsIndex } from '#listing'
import { testDatabase, useSettings, type TestDatabase } from '#platform/testing'
import { testGateway, type TestGateway } from '../../edges/gateway/testing.ts'

const operatorKey = 'test-operator-key'
const operatorSearchKey = 'test-search-admin-key'
let database: TestDatabase
let gateway: TestGateway
let engine: SearchEngine
let directory: string

before(async () => {
  useSettings({ OPERATOR_API_KEY: operatorKey, SEARCH_ADMIN_KEY: operatorSearchKey })
  database = await testDatabase()
  directory = await mkdtemp(join(tmpdir(), 'wire-'))
  engine = await openSearchEngine({ directory })
  await engine.replaceAll(productsIndex('gb'), [{ objectID: '7', title: 'Spirit level' }], {
    language: 'en',
    searchableAttributes: ['title'],
  })
  await engine.replaceAll('internal', [{ objectID: '1', title: 'Spirit level' }], { language: 'en', searchableAttributes: ['title'] })
  connectSearch(engine)
  gateway = await testGateway(database.pool)
})
after(async () => {
  await gateway.close()
  await engine.close()
  await rm(directory, { recursive: true, force: true })
})

const client = (key = 'purlin-search') =>
  liteClient('purlin', key, { hosts: [{ url: `${new URL(gateway.url).host}/search-engine`, accept: 'readWrite', protocol: 'http' }] })

const operate = (method: string, path: string, body?: unknown, key = operatorKey) =>
  fetch(`${gateway.url}/api/v1/operator/search/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

const sendEvent = (cookie: string) =>
  fetch(`${gateway.url}/search-engine/1/events`, {
    method: 'POST',
    headers: { 'x-algolia-api-key': 'purlin-search', cookie },
    body: JSON.stringify({
      events: [
        {
          eventType: 'click',
          eventName: 'card',
          index: productsIndex('gb'),
          userToken: 'visitor-1',
          objectIDs: ['7'],
          queryID: 'a'.repeat(32),
        },
      ],
    }),
  })
const eventCount = { name: 'test.search-events', text: 'select count(*)::int as count from merchandising.search_event' }

test('R-545 the official client searches the shop at /search-engine with the public key', async () => {
  const { results } = await client().search({ requests: [{ indexName: productsIndex('gb'), query: 'spirit levl' }] })
  assert.equal('hits' in results[0]! && results[0].hits[0]?.objectID, '7')
})

test('the public key reads only product indexes, and any other key reads nothing', async () => {
  await assert.rejects(client().search({ requests: [{ indexName: 'internal' }] }), { status: 403 })
  await assert.rejects(client('guessed').search({ requests: [{ indexName: productsIndex('gb') }] }), { status: 403 })
})

test('R-520 search events are stored with consent to user preferences, and discarded without', async () => {
  await database.pool.query(
    `insert into merchandising.asked (query_id, market, day, query) values (repeat('a', 32), 'gb', current_date, 'spirit level')`,
  )
  assert.equal((await sendEvent('')).status, 200)
  assert.equal((await sendEvent('mm_consent=v1:statistics')).status, 200)
  assert.deepEqual(await database.db.row(eventCount), { count: 0 })
  assert.equal((await sendEvent('mm_consent=v1:userPreferences')).status, 200)
  assert.deepEqual(await database.db.row(eventCount), { count: 1 })
})

test('R-632 the settings are for operators: a missing key, a wrong key and an unknown market are refused', async () => {
  assert.equal((await operate('GET', 'gb/synonyms', undefined, 'wrong')).status, 401)
  assert.equal((await fetch(`${gateway.url}/api/v1/operator/search/gb/synonyms`)).status, 401)
  assert.equal((await operate('GET', 'us/synonyms')).status, 404)
})

test('R-627 an operator writes a synonym, reads it back and deletes it', async () => {
  const put = await operate('PUT', 'gb/synonyms/level', { type: 'synonym', synonyms: ['level', 'bubble'] })
  assert.equal(put.status, 204)
  const [row] = (await (await operate('GET', 'gb/synonyms')).json()) as { id: string; words: string[] }[]
  assert.deepEqual([row?.id, row?.words], ['level', ['level', 'bubble']])
  assert.deepEqual((await database.events()).at(-1), { type: 'search-levers.changed', payload: { leversOf: 'gb' } })
  assert.equal((await operate('DELETE', 'gb/synonyms/level')).status, 204)
  assert.equal((await operate('DELETE', 'gb/synonyms/level')).status, 404)
})

test('an invalid setting is reported with the reason, and nothing is stored', async () => {
  const refused = await operate('PUT', 'gb/rules/away', { redirect: 'https://elsewhere.example' })
  assert.equal(refused.status, 400)
  assert.match(((await refused.json()) as { error: string }).error, /redirect/)
  assert.deepEqual(await (await operate('GET', 'gb/rules')).json(), [])
})

test('stop words, weights and analytics are served by market', async () => {
  assert.equal((await operate('PUT', 'gb/stop-words', ['please'])).status, 204)
  assert.equal((await operate('PUT', 'gb/weights', { title: 6 })).status, 204)
  assert.deepEqual(await (await operate('GET', 'gb/tuning')).json(), { stopWords: ['please'], weights: { title: 6 } })
  const analytics = await operate('GET', 'gb/analytics?from=2026-11-01&to=2026-11-30')
  assert.deepEqual(await analytics.json(), { from: '2026-11-01', to: '2026-11-30', popular: [], withoutResults: [], categories: [] })
})

test('an operator sees what was learned from buyers, day by day, and turns it off', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const yesterday = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10)
  await database.pool.query(`insert into merchandising.ranker_day values ('gb', $1, '[1, 0, 2, 0, 0, 0, 0, 0, 0]', 0.4, 0.5, 300)`, [
    yesterday,
  ])
  await database.pool.query(`insert into merchandising.ranking_in_use values ('gb', $1, '[1, 0, 1.5, 0, 0, 0, 0, 0, 0]')`, [yesterday])
  const learning = async () =>
    (await (await operate('GET', 'gb/learning')).json()) as { enabled: boolean; weights: number[] | null; days: object[] }
  assert.deepEqual((await learning()).days, [{ day: yesterday, weights: [1, 0, 2, 0, 0, 0, 0, 0, 0], own: 0.4, learned: 0.5, looks: 300 }])
  assert.deepEqual((await learning()).weights, [1, 0, 1.5, 0, 0, 0, 0, 0, 0])
  assert.equal((await operate('PUT', 'gb/learning', { enabled: false })).status, 204)
  assert.deepEqual([(await learning()).enabled, (await learning()).weights], [false, null])
  assert.equal((await operate('PUT', 'gb/learning', { enabled: 'no' })).status, 400)
  assert.equal((await operate('PUT', 'gb/learning', { enabled: true })).status, 204)
})

test('analytics accept valid dates only, and default to the market’s last thirty days', async (context) => {
  for (const wrong of ['from=yesterday', 'to=2026-02-30', 'from=2026-13-01', 'limit=0', 'limit=x'])
    assert.equal((await operate('GET', `gb/analytics?${wrong}`)).status, 400, wrong)
  const asked = async (market: string) => {
    const { from, to } = (await (await operate('GET', `${market}/analytics`)).json()) as { from: string; to: string }
    return [from, to]
  }
  // Half past midnight in Madrid is still the day before in London.
  context.mock.timers.enable({ apis: ['Date'], now: new Date('2026-03-31T22:30:00Z') })
  assert.deepEqual(await asked('es'), ['2026-03-02', '2026-04-01'])
  assert.deepEqual(await asked('gb'), ['2026-03-01', '2026-03-31'])
})

test('R-545 each search of a batch counts: fifty at once use up as much of the quota as fifty requests', async () => {
  const shop = await testGateway(database.pool, { trustProxy: 'loopback' })
  after(() => shop.close())
  const ask = async (path: string, requests: readonly object[], sender: string) =>
    (
      await fetch(`${shop.url}/search-engine/1/indexes/*/${path}`, {
        method: 'POST',
        headers: { 'x-algolia-api-key': 'purlin-search', 'x-forwarded-for': sender },
        body: JSON.stringify({ requests }),
      })
    ).status
  const batch = (size: number) => Array.from({ length: size }, () => ({ indexName: productsIndex('gb'), query: 'level' }))
  for (let sent = 0; sent < 4; sent++) assert.equal(await ask('queries', batch(50), '203.0.113.81'), 200)
  assert.equal(await ask('queries', batch(50), '203.0.113.81'), 429)
  assert.equal(await ask('queries', batch(1), '203.0.113.82'), 200)
  const objects = Array.from({ length: 500 }, () => ({ indexName: productsIndex('gb'), objectID: '7' }))
  assert.equal(await ask('objects', objects, '203.0.113.83'), 429, 'documents count as well')
})

const searchAs = (key: string, requests: readonly object[]) =>
  fetch(`${gateway.url}/search-engine/1/indexes/*/queries`, {
    method: 'POST',
    headers: { 'x-algolia-api-key': key },
    body: JSON.stringify({ requests }),
  })

/** During a test, does this before each search of the engine. */
function beforeSearches(context: TestContext, before: (params: SearchParams) => Promise<void>): void {
  const search = engine.searchWritten!.bind(engine)
  engine.searchWritten = async (...query) => {
    await before(query[1])
    return search(...query)
  }
  context.after(() => {
    engine.searchWritten = search
  })
}

test('V-08 R-545 between two searches of a stranger’s batch the event loop turns, so that listings go first', async (context) => {
  let turns = 0
  let isOver = false
  const turning = (async () => {
    for (; !isOver; await nextTurn()) turns++
  })()
  const turnsOf: number[] = []
  beforeSearches(context, async () => void turnsOf.push(turns))
  const asked = await searchAs(
    'purlin-search',
    Array.from({ length: 50 }, () => ({ indexName: productsIndex('gb') })),
  )
  isOver = true
  await turning
  assert.equal(asked.status, 200)
  assert.equal(new Set(turnsOf).size, 50)
})

test('V-15 R-545 of one network four requests search or wait to; a fifth gets 503 with Retry-After, and that of another network waits', async (context) => {
  let finish = () => {}
  const held = new Promise<void>((resolve) => (finish = resolve))
  beforeSearches(context, () => held)
  const from = (remoteAddress: string) =>
    gateway.app.inject({
      method: 'POST',
      url: '/search-engine/1/indexes/*/queries',
      remoteAddress,
      headers: { 'x-algolia-api-key': 'purlin-search' },
      payload: { requests: [{ indexName: productsIndex('gb'), query: 'level' }] },
    })
  const asked = Array.from({ length: 5 }, () => from('203.0.113.7'))
  const first = await Promise.race(asked)
  assert.deepEqual([first.statusCode, first.headers['retry-after']], [503, '1'])
  const other = from('203.0.113.8')
  finish()
  assert.deepEqual((await Promise.all(asked)).map(({ statusCode }) => statusCode).toSorted(), [200, 200, 200, 200, 503])
  assert.equal((await other).statusCode, 200)
})

test('V-08 R-545 two requests of strangers search at once and sixteen wait; more get 503 with Retry-After, an operator none', async (context) => {
  let finish = () => {}
  const held = new Promise<void>((resolve) => (finish = resolve))
  beforeSearches(context, async ({ query }) => {
    if (query === 'held') await held
  })
  const asked = Array.from({ length: 30 }, () => searchAs('purlin-search', [{ indexName: productsIndex('gb'), query: 'held' }]))
  let refused = 0
  for (const one of asked) void one.then(({ status }) => (refused += Number(status === 503)))
  for (const end = Date.now() + 5000; refused < 12; await sleep(10)) assert.ok(Date.now() < end, String(refused))
  const busy = await searchAs('purlin-search', [{ indexName: productsIndex('gb'), query: 'level' }])
  assert.deepEqual([busy.status, busy.headers.get('retry-after')], [503, '1'])
  assert.equal((await searchAs(operatorSearchKey, [{ indexName: productsIndex('gb'), query: 'level' }])).status, 200)
  finish()
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  assert.deepEqual([statuses.filter((status) => status === 200).length, refused], [18, 12])
})
