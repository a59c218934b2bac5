/** Listings in the published API, over HTTP: page sizes, order and boosts, and degradation when the engine is slow or down. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectSearch, rebuildIndex } from '#listing'
import { testDatabase } from '#platform/testing'
import { testEngine } from '../../goods/listing/test-engine.ts'
import { testOffer, testProduct, testReference } from '../../goods/listing/test-shop.ts'
import { testGateway } from './testing.ts'

const database = await testDatabase()
const { db } = database
await testReference(db)
await testProduct(db, { id: 1, title: 'Cordless drill', popularity: 900 })
await testProduct(db, { id: 2, title: 'Hammer drill', brandId: 2, popularity: 800 })
await testProduct(db, { id: 3, title: 'Bench drill', modelId: 7, popularity: 100 })
await testProduct(db, { id: 4, title: 'Hand drill', popularity: 50 })
await testOffer(db, { id: 10, productId: 1 })
await testOffer(db, { id: 20, productId: 2 })
await testOffer(db, { id: 30, productId: 3 })
await testOffer(db, { id: 40, productId: 4, price: 20_000, sponsored: true })
// Saws: the most popular, a sponsored one, and a top deal that hardly sells.
for (const [id, popularity] of [
  [51, 900],
  [52, 600],
  [53, 500],
  [54, 400],
  [55, 1],
] as const)
  await testProduct(db, { id, title: `Mitre saw ${id}`, categoryId: 12, brandId: (id % 2) + 1, popularity })
for (const id of [51, 52, 53, 54]) await testOffer(db, { id: id * 10, productId: id, sponsored: id === 54 })
await testOffer(db, { id: 550, productId: 55, price: 8_000, was: 10_000, promotionEndsAt: new Date(Date.now() + 2 * 86_400_000) })
const engine = await testEngine()
connectSearch(engine)
await rebuildIndex({ db, engine })
const gateway = await testGateway(database.pool)

interface Listing {
  total: number
  page: number
  pageSize: number
  pageSizes: number[]
  available: boolean
  cards: { productId: string; badges: { type: string }[] }[]
}
const query =
  'query ($input: ListingInput!) { listing(input: $input) { total page pageSize pageSizes available cards { productId badges { type } } } }'
async function list(input: object = {}): Promise<Listing> {
  const { status, body } = await gateway.post(query, { input: { kind: 'category', id: 11, ...input } }, { host: 'gb.localhost' })
  const { data, errors } = body as { data: { listing: Listing }; errors?: unknown }
  assert.equal(status, 200, JSON.stringify(errors))
  assert.equal(errors, undefined)
  return data.listing
}
const ids = async (input: object = {}) => (await list(input)).cards.map(({ productId }) => productId)

test('R-657 R-658 a listing offers the page sizes of the specification, 48 by default and at most 500', async () => {
  const { pageSize, pageSizes } = await list()
  assert.deepEqual([pageSize, pageSizes], [48, [48, 24, 72, 100, 60, 10]])
  assert.equal((await list({ pageSize: 100 })).pageSize, 100)
  assert.equal((await list({ pageSize: 5_000 })).pageSize, 500)
  // Sponsored products climb within their page alone: pages hold everything once, whatever their size.
  const pages = [...(await ids({ pageSize: 2 })), ...(await ids({ pageSize: 2, page: 2 }))]
  assert.deepEqual(pages.toSorted(), (await ids()).toSorted())
})

test('R-659 R-661 R-399 the model the visitor came for is first; sponsored products are boosted only under relevance sorting, and marked', async () => {
  assert.deepEqual(await ids(), ['4', '1', '2', '3'])
  assert.deepEqual((await ids({ modelId: '7' }))[0], '3')
  const { cards } = await list()
  assert.deepEqual(
    cards.map(({ badges }) => badges.some(({ type }) => type === 'sponsored')),
    [true, false, false, false],
  )
  assert.equal((await ids({ sort: 'price_asc' })).at(-1), '4')
})

test('R-660 a top deal stands before the sponsored and the popular in a category, and climbs fifteen places in a search', async () => {
  assert.deepEqual((await ids({ id: 12 }))[0], '55')
  assert.deepEqual((await ids({ id: 12, sort: 'price_desc' })).at(-1), '55', 'under relevance sorting alone')
  assert.deepEqual((await ids({ kind: 'search', id: null, query: 'mitre saw' })).slice(0, 2), ['55', '54'])
})

test('R-547 searches and suggestions carry the visitor’s id to the engine, with consent to preferences and not otherwise', async () => {
  const { multiSearch } = engine
  const tokens: unknown[] = []
  engine.multiSearch = (queries, signal) => {
    tokens.push(...queries.map(({ params }) => params.userToken ?? null))
    return multiSearch.call(engine, queries, signal)
  }
  const visitor = '018f0000-0000-7000-8000-00000000000a'
  const carried = async (text: string, cookie: string) => {
    tokens.length = 0
    const search =
      'query ($text: String!) { suggestions(query: $text) { queries } listing(input: { kind: search, query: $text }) { total } }'
    const { status, body } = await gateway.post(search, { text }, { host: 'gb.localhost', cookie })
    assert.equal(status, 200, JSON.stringify(body))
    return [...new Set(tokens)]
  }
  assert.deepEqual(await carried('drill one', `mm_visitor_id=${visitor}; mm_consent=v1:userPreferences`), [visitor])
  assert.deepEqual(await carried('drill two', `mm_visitor_id=${visitor}; mm_consent=v1:statistics`), [null])
  assert.deepEqual(await carried('drill three', `mm_visitor_id=${visitor}`), [null])
  assert.deepEqual(await carried('drill four', 'mm_visitor_id=forged; mm_consent=v1:userPreferences'), [null])
  engine.multiSearch = multiSearch
})

test('R-546 R-548 R-621 R-674 when the engine fails or does not respond within 300 ms, the listing says so', async () => {
  const found = async (what: string) => {
    const from = performance.now()
    const { available, cards, total } = await list({ query: what, kind: 'search', id: null })
    assert.deepEqual([available, cards, total], [false, [], 0], what)
    assert.ok(performance.now() - from < 2_000, what)
  }
  engine.delayMs = 5_000
  await found('slow')
  Object.assign(engine, { delayMs: 0, failure: 'connect ECONNREFUSED' })
  await found('down')
  engine.failure = null
  assert.equal((await list()).available, true)
})
