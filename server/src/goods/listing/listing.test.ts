import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'node:test'
import type { Db, Scope } from '#platform'
import { testDatabase } from '#platform/testing'
import { alternativesOf } from './find-alternatives.ts'
import { findProduct } from '#catalogue'
import { cardsOf } from './find-cards.ts'
import { productsIndex } from './document.ts'
import { holdsStill, listProducts } from './list-products.ts'
import type { ListingInput } from './listing-input.ts'
import { resolvers } from './graphql.ts'
import { connectRecommendations, connectSearch, watchSearches } from './ports.ts'
import { historyFrom, recommendForHistory } from './recommend.ts'
import { rebuildIndex } from './rebuild-index.ts'
import { suggest } from './suggest.ts'
import { testEngine } from './test-engine.ts'
import { testOffer, testProduct, testReference } from './test-shop.ts'

const database = await testDatabase({ upTo: 'pricing' })
const { db } = database
await testReference(db)
await testProduct(db, { id: 1, modelId: 5, title: 'Cordless drill blue', attributes: { voltage: 18, color: 'blue' }, popularity: 900 })
await testProduct(db, { id: 2, modelId: 5, title: 'Cordless drill red', attributes: { voltage: 12, color: 'red' }, popularity: 800 })
await testProduct(db, { id: 3, title: 'Hammer drill', brandId: 2, attributes: { voltage: 18, color: 'red' }, rating: 3.2, popularity: 700 })
await testProduct(db, {
  id: 4,
  title: 'Circular saw',
  categoryId: 12,
  brandId: 2,
  attributes: { voltage: 18, color: 'blue' },
  flags: ['eco'],
  popularity: 600,
})
await testProduct(db, { id: 5, title: 'Trade saw', categoryId: 12, popularity: 500 })
await testProduct(db, { id: 6, title: 'Never sold' })
await testOffer(db, { id: 10, productId: 1, price: 12_000, was: 16_000, promotionEndsAt: new Date(Date.now() + 86_400_000) })
await testOffer(db, { id: 20, productId: 2, price: 9_000 })
await testOffer(db, { id: 30, productId: 3, price: 24_000, sellerId: 2, sponsored: true })
await testOffer(db, { id: 40, productId: 4, price: 6_000, proPrice: 4_800, condition: 'used_good' })
await testOffer(db, { id: 50, productId: 5, price: 5_000, sellerId: 3 })
await testOffer(db, { id: 11, productId: 1, market: 'de', sellerId: 2, price: 11_900 })
await testOffer(db, { id: 41, productId: 4, market: 'de', sellerId: 4, price: 11_000 })

const engine = await testEngine()
connectSearch(engine)
await rebuildIndex({ db, engine })

const list = (input: Partial<ListingInput>, overrides: Partial<Scope> = {}) =>
  listProducts(database.scope(overrides), { kind: 'category', id: 1, ...input })
const ids = async (input: Partial<ListingInput>, overrides: Partial<Scope> = {}) =>
  (await list(input, overrides)).cards.map(({ productId }) => productId)
const facet = async (key: string, input: Partial<ListingInput> = {}, overrides: Partial<Scope> = {}) =>
  (await list(input, overrides)).facets.find((one) => one.key === key)
const counts = async (key: string, input: Partial<ListingInput> = {}) =>
  Object.fromEntries((await facet(key, input))?.values.map(({ value, count }) => [value, count]) ?? [])

test('a category lists the products sold in the market, one card per model, with the model’s price range', async () => {
  const listing = await list({})
  assert.deepEqual(listing.cards.map(({ productId }) => productId).toSorted(), ['1', '3', '4'])
  const drill = listing.cards.find(({ productId }) => productId === '1')
  assert.equal(drill?.modelsCount, 2)
  assert.deepEqual(drill?.prices.main.ranges, { min: '£90.00', max: '£120.00' })
  assert.equal(listing.category?.id, 1)
  assert.equal(listing.total, 3)
})

test('products of trade-only sellers are listed only on the professional storefront', async () => {
  assert.ok(!(await ids({})).includes('5'))
  assert.ok((await ids({}, { mode: 'b2b' })).includes('5'))
})

test('R-657 R-658 page sizes are those of the specification, at most 500, the first by default', async () => {
  assert.deepEqual((await list({})).pageSizes, [48, 24, 72, 100, 60, 10])
  assert.equal((await list({})).pageSize, 48)
  assert.equal((await list({ pageSize: 500 })).pageSize, 500)
  assert.equal((await list({ pageSize: 5_000 })).pageSize, 500)
  assert.equal((await list({ pageSize: -1 })).pageSize, 48)
})

test('consecutive pages repeat no card', async () => {
  const first = await list({ pageSize: 2 })
  const second = await list({ pageSize: 2, page: 2 })
  assert.equal(first.pages, 2)
  assert.deepEqual([...first.cards, ...second.cards].map(({ productId }) => productId).toSorted(), ['1', '3', '4'])
})

test('a facet’s own refinement does not empty it; other facets follow the refinement', async () => {
  assert.deepEqual(await counts('brand'), { Tarvok: 1, Brexiro: 2 })
  const refined = { filters: [{ key: 'brand', values: ['Tarvok'] }] }
  assert.deepEqual(await counts('brand', refined), { Tarvok: 1, Brexiro: 2 })
  assert.deepEqual((await facet('brand', refined))?.values.map(({ selected }) => selected).toSorted(), [false, true])
  assert.deepEqual(await counts('voltage', refined), { 12: 1, 18: 1 })
  assert.deepEqual(await ids(refined), ['1'])
})

test('values within a facet are combined with OR, facets with AND', async () => {
  const both = {
    filters: [
      { key: 'color', values: ['red', 'blue'] },
      { key: 'voltage', values: ['18'] },
    ],
  }
  assert.deepEqual((await ids(both)).toSorted(), ['1', '3', '4'])
  assert.deepEqual(
    await ids({
      filters: [
        { key: 'color', values: ['red'] },
        { key: 'voltage', values: ['18'] },
      ],
    }),
    ['3'],
  )
})

test('facet values are in the market’s language, with unit and colour', async () => {
  const voltage = await facet('voltage', {}, { market: 'gb' })
  assert.deepEqual(
    voltage?.values.map(({ label }) => label),
    ['12 V', '18 V'],
  )
  assert.equal((await facet('color'))?.values.find(({ value }) => value === 'red')?.hex, '#ff0000')
})

test('the category facet goes one level down', async () => {
  assert.deepEqual(
    (await facet('category'))?.values.map(({ label, count }) => [label, count]),
    [
      ['Drills', 2],
      ['Saws', 1],
    ],
  )
  assert.deepEqual(await ids({ filters: [{ key: 'category', values: ['12'] }] }), ['4'])
})

test('the price facet, its range and the sort are in the viewer’s own tax mode', async () => {
  const b2c = await facet('price')
  assert.deepEqual([b2c?.kind, b2c?.min, b2c?.max], ['range', 60, 240])
  const de = { market: 'de', mode: 'b2b' } as const
  // 119.00 of a German seller is 100.00 net; the French seller's 110.00 stays with VAT.
  const net = await facet('price', {}, de)
  assert.deepEqual([net?.min, net?.max], [100, 110])
  assert.deepEqual(await ids({ sort: 'price_asc' }, de), ['1', '4'])
  assert.deepEqual(await ids({ sort: 'price_asc' }, { ...de, prefersVat: true }), ['4', '1'])
  assert.deepEqual(await ids({ ranges: [{ key: 'price', max: 105 }] }, de), ['1'])
  assert.deepEqual(await ids({ ranges: [{ key: 'price', max: 115 }] }, { ...de, prefersVat: true }), ['4'])
})

test('a price range does not narrow its own limits', async () => {
  const price = await facet('price', { ranges: [{ key: 'price', min: 100, max: 130 }] })
  assert.deepEqual([price?.min, price?.max], [60, 240])
})

test('V-26 ratings count upwards, four stars and up, and each counts as many models as choosing it lists', async () => {
  const promised = await counts('rating')
  assert.deepEqual(promised, { 4: 2, 3: 3, 2: 3 })
  for (const [step, count] of Object.entries(promised))
    assert.equal((await list({ filters: [{ key: 'rating', values: [step] }] })).total, count, step)
  assert.ok(!(await ids({ filters: [{ key: 'rating', values: ['4'] }] })).includes('3'))
})

test('R-661 R-399 sponsored products are boosted only under relevance sorting, and marked', async () => {
  // The top deal (product 1) comes before the sponsored product, R-660.
  assert.deepEqual(await ids({}), ['1', '3', '4'])
  assert.deepEqual((await list({})).cards[1]?.badges[0], { type: 'sponsored', label: 'Sponsored' })
  assert.deepEqual(await ids({ sort: 'price_asc' }), ['4', '2', '3'])
  const byPrice = (await list({ sort: 'price_asc' })).cards.flatMap(({ badges }) => badges.map(({ type }) => type))
  assert.ok(!byPrice.includes('sponsored'), 'a place found by its price is not paid for')
  const chosen = await cardsOf(database.scope(), ['3'])
  assert.ok(
    chosen[0]?.badges.every(({ type }) => type !== 'sponsored'),
    'nor one on a wishlist',
  )
})

test('in a search sponsored products climb, but never past products pinned by an operator’s rule', async () => {
  const search = () => ids({ kind: 'search', id: null, query: 'drill' })
  assert.deepEqual(await search(), ['1', '3'])
  const promote = {
    objectID: 'first',
    conditions: [{ pattern: 'drill', anchoring: 'is' as const }],
    consequence: { promote: [{ objectID: '4', position: 0 }] },
  }
  await engine.setRules(productsIndex('gb'), [promote])
  const [first, ...rest] = await search()
  await engine.setRules(productsIndex('gb'), [], { clearExisting: true })
  assert.deepEqual([first, rest.toSorted()], ['4', ['1', '3']])
})

test('R-659 the model the visitor came for comes first', async () => {
  engine.asked = []
  await list({ modelId: '5', pageSize: 7 })
  const main = engine.asked.find(({ params }) => params.hitsPerPage === 7)
  assert.deepEqual(main?.params.optionalFilters, ['modelId:5<score=200>', 'podiumOn:b2c<score=150>'])
})

test('unknown filters and nonsense values are ignored', async () => {
  const nonsense: Partial<ListingInput> = {
    page: -3,
    filters: [
      { key: '__proto__', values: ['1'] },
      { key: 'nothing', values: ['a'] },
      { key: 'brand', values: [''] },
    ],
    ranges: [
      { key: 'brand', min: 1 },
      { key: 'price', min: Number.NaN },
    ],
  }
  assert.deepEqual(await ids(nonsense), await ids({}))
})

test('an unknown category has no products and is not an engine failure', async () => {
  const listing = await list({ id: 99_999 })
  assert.deepEqual([listing.total, listing.category, listing.available], [0, null, true])
  assert.equal((await list({ id: null })).total, 0)
})

test('seller, brand and deals pages list their own products', async () => {
  assert.deepEqual(await ids({ kind: 'seller', id: 2 }), ['3'])
  assert.deepEqual((await ids({ kind: 'brand', id: 2 })).toSorted(), ['3', '4'])
  assert.deepEqual(await ids({ kind: 'deals', id: null }), ['1'])
})

test('a seller’s page shows that seller’s own offer of each product, at its price, whoever wins the buy box', async () => {
  await testOffer(db, { id: 32, productId: 3, price: 29_000, sellerId: 1 })
  await testOffer(db, { id: 33, productId: 4, price: 31_000, sellerId: 2 })
  await testOffer(db, { id: 34, productId: 1, price: 900, sellerId: 2, isSample: true })
  await rebuildIndex({ db, engine, markets: ['gb'] })
  const offers = async (input: Partial<ListingInput>) =>
    (await list(input)).cards.map(({ offerId, sellerId, prices }) => [offerId, sellerId, prices.main.asString])
  assert.deepEqual(await offers({ kind: 'seller', id: 2, sort: 'price_asc' }), [
    ['30', 2, '£240.00'],
    ['33', 2, '£310.00'],
  ])
  assert.deepEqual(
    (await offers({ kind: 'seller', id: 1, sort: 'price_desc' })).map(([offerId]) => offerId),
    ['32', '10', '40'],
  )
  // Elsewhere the cheaper of two new offers is shown, and a new one before a used one.
  assert.deepEqual((await offers({})).map(([offerId]) => offerId).toSorted(), ['10', '30', '33'])
  await db.run({ name: 'test.take-back', text: `delete from catalogue.offer where id in (32, 33, 34)` })
  await rebuildIndex({ db, engine, markets: ['gb'] })
})

test('a trade seller’s page is empty for consumers, even if another seller offers them the same products', async () => {
  await testOffer(db, { id: 51, productId: 3, price: 23_000, sellerId: 3 })
  await rebuildIndex({ db, engine, markets: ['gb'] })
  assert.deepEqual((await ids({ kind: 'seller', id: 3 }, { mode: 'b2b' })).toSorted(), ['3', '5'])
  const listing = await list({ kind: 'seller', id: 3 })
  assert.deepEqual([listing.total, listing.cards, listing.available], [0, [], true])
  assert.equal((await list({ kind: 'seller', id: 99_999 })).total, 0)
  await db.run({ name: 'test.withdraw', text: 'delete from catalogue.offer where id = 51' })
  await rebuildIndex({ db, engine, markets: ['gb'] })
})

test('a search finds by title, brand and part number, and predicts the category', async () => {
  assert.deepEqual(await ids({ kind: 'search', id: null, query: 'hammer' }), ['3'])
  assert.deepEqual(await ids({ kind: 'search', id: null, query: 'TV-4' }), ['4'])
  const drills = await list({ kind: 'search', id: null, query: 'drill' })
  assert.deepEqual(
    drills.predictedCategories.map(({ id }) => id),
    [11],
  )
})

test('a listing needs no database once the reference data is cached', async () => {
  // The words of other languages are read when a query first has no match.
  await list({ kind: 'search', id: null, query: 'nothing at all' })
  const forbidden = (): never => {
    throw new Error('SQL in a listing')
  }
  const noSql: Db = { rows: forbidden, row: forbidden, run: forbidden, reads: database.db, alone: database.db, reports: database.db }
  const scope = { ...database.scope({ market: 'fr' }), db: noSql }
  assert.equal((await listProducts(scope, { kind: 'search', query: 'nothing like this' })).available, true)
})

test('F6 a failing engine gives an empty listing that says so and is not cached', async () => {
  engine.failure = 'down'
  const failed = await list({ pageSize: 33 })
  engine.failure = null
  assert.deepEqual([failed.available, failed.cards, failed.total, failed.category?.id], [false, [], 0, 1])
  assert.equal((await list({ pageSize: 33 })).available, true)
})

test('a listing is shared by everybody within the same index version and minute, a degraded one never', async () => {
  engine.failure = 'down'
  assert.equal(holdsStill(await list({ pageSize: 35 })), null)
  engine.failure = null
  const holds = holdsStill(await list({ pageSize: 35 }))
  assert.equal(holds?.(), true)
  assert.equal(holdsStill(await list({ pageSize: 35 }, { now: new Date(Date.now() - 120_000) }))?.(), false)
  const { version } = engine
  engine.version = (index) => version(index) + 1
  assert.equal(holds?.(), false)
  engine.version = version
})

test('F6 R-546 R-674 an engine that does not answer within 300 ms is abandoned', async () => {
  engine.delayMs = 2_000
  const started = performance.now()
  const late = await list({ pageSize: 34 })
  const took = performance.now() - started
  engine.delayMs = 0
  assert.equal(late.available, false)
  assert.ok(took >= 295 && took < 500, `${took} ms`)
})

test('a search is reported with its hits; further pages are not, and refinements do not count as searches', async () => {
  const told: [string, number][] = []
  let refined = 0
  watchSearches(({ query, results, isRefined }) => (isRefined ? (refined += 1) : told.push([query, results])))
  const ask = (input: Partial<ListingInput>) =>
    resolvers.Query.listing({}, { input: { kind: 'search', query: 'drill', ...input } }, database.scope())
  await ask({})
  await ask({ sort: 'relevance', filters: [], ranges: [] })
  await ask({ page: 2 })
  await ask({ sort: 'price_asc' })
  await ask({ filters: [{ key: 'brand', values: ['Nobody'] }] })
  await ask({ ranges: [{ key: 'price', max: 1 }] })
  await ask({ kind: 'category', id: 1, query: null })
  await ask({ query: 'xyzzy' })
  watchSearches(() => undefined)
  assert.deepEqual(told, [
    ['drill', 2],
    ['drill', 2],
    ['xyzzy', 0],
  ])
  assert.equal(refined, 3)
})

test('suggestions return queries, categories, brands and priced products together', async () => {
  const found = await suggest(database.scope(), 'dril')
  assert.ok(found.queries.includes('drills'))
  assert.deepEqual(
    found.categories.map(({ id }) => id),
    [11],
  )
  assert.deepEqual(Object.fromEntries(found.products.map(({ productId, prices }) => [productId, prices.main.asString])), {
    1: '£120.00',
    3: '£240.00',
  })
  assert.deepEqual(
    (await suggest(database.scope(), 'tarv')).brands.map(({ name }) => name),
    ['Tarvok'],
  )
})

test('without the engine, suggestions still contain categories and brands', async () => {
  engine.failure = 'down'
  const found = await suggest(database.scope(), 'saw')
  engine.failure = null
  assert.deepEqual([found.categories.map(({ id }) => id), found.products], [[12], []])
})

test('alternatives are from the same category and never of the product’s own model', async () => {
  const sheet = await findProduct(database.scope(), '1')
  assert.ok(sheet)
  assert.deepEqual(
    (await alternativesOf(database.scope(), sheet.product)).map(({ productId }) => productId),
    ['3'],
  )
})

test('alternatives that share a negative number come before those that do not', async () => {
  const cold = database.scope({ market: 'it' })
  for (const [id, temperature] of [
    [61, -5],
    [62, 20],
    [63, -5],
  ] as const) {
    await testProduct(db, { id, categoryId: 2257, attributes: { temperature }, popularity: temperature + 100 })
    await testOffer(db, { id: id * 10, productId: id, market: 'it' })
  }
  await rebuildIndex({ db, engine, markets: ['it'] })
  const sheet = await findProduct(cold, '61')
  assert.ok(sheet)
  assert.deepEqual(
    (await alternativesOf(cold, sheet.product)).map(({ productId }) => productId),
    ['63', '62'],
  )
})

test('after three viewed products, others from their categories are recommended, none of the viewed ones', async () => {
  assert.deepEqual(historyFrom, { es: 3, fr: 3, gb: 3, de: 3, it: 3 })
  const recommended = async (seen: string[]) => (await recommendForHistory(database.scope(), seen)).map(({ productId }) => productId)
  assert.deepEqual(await recommended(['1', '2']), [])
  assert.deepEqual(await recommended(['1', '2', '6']), ['3'])
  assert.deepEqual(await recommended(['3', '4', '999']), ['1'])
})

test('a connected recommendation service decides, and its failure recommends nothing', async () => {
  const seen = ['1', '2', '3']
  connectRecommendations({ forHistory: async () => ['4', '5', '404'] })
  const byService = (await recommendForHistory(database.scope(), seen)).map(({ productId }) => productId)
  connectRecommendations({ forHistory: async () => Promise.reject(new Error('down')) })
  const failing = await recommendForHistory(database.scope(), seen)
  connectRecommendations(undefined)
  // Product 5 is for professionals only.
  assert.deepEqual([byService, failing], [['4'], []])
})

test('no filter, query or sort order that a visitor can enter breaks the listing', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      'brand',
      'price',
      'voltage',
      'rating',
      'category',
      'a=5',
      '-x',
      'x<score=9>',
      '"',
      "'",
      'NOT',
      ') OR (',
      'price_b2c:1',
      '__proto__',
      '\\',
    ),
  )
  const kind = fc.constantFrom('category', 'search', 'seller', 'brand', 'operation', 'deals')
  const input = fc.record(
    {
      kind,
      id: fc.oneof(fc.constantFrom(1, 11), fc.integer()),
      query: text,
      filters: fc.array(fc.record({ key: text, values: fc.array(text, { maxLength: 4 }) }), { maxLength: 4 }),
      ranges: fc.array(fc.record({ key: text, min: fc.option(fc.double()), max: fc.option(fc.double()) }), { maxLength: 3 }),
      sort: text,
      page: fc.integer(),
      pageSize: fc.integer(),
      modelId: text,
    },
    { requiredKeys: ['kind'] },
  ) as fc.Arbitrary<ListingInput>
  await fc.assert(
    fc.asyncProperty(input, async (one) => {
      engine.asked = []
      const { available, cards, pageSize } = await listProducts(database.scope(), one)
      assert.ok(available, JSON.stringify(engine.asked))
      assert.ok(cards.length <= pageSize)
    }),
    { numRuns: 400 },
  )
})
