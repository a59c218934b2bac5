import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scope } from '#platform'
import { testDatabase } from '#platform/testing'
import { connectSearch, rebuildIndex } from '#listing'
import { testEngine } from '../listing/test-engine.ts'
import { testOffer, testProduct, testReference } from '../listing/test-shop.ts'
import { carouselSizes, newForDays, showHome } from './show-home.ts'

const database = await testDatabase({ upTo: 'content' })
const { db } = database
await testReference(db)
for (let id = 1; id <= 12; id += 1) {
  await testProduct(db, { id, popularity: id * 10, flags: id > 9 ? ['top_sale'] : [] })
  await testOffer(db, {
    id,
    productId: id,
    price: 1_000 * id,
    was: id % 2 ? 2_000 * id : null,
    proPrice: id > 8 ? 900 * id : null,
    stock: id === 12 ? 0 : 5,
  })
}
await db.run({ name: 'test.old', text: `update catalogue.product set created_at = now() - interval '30 days' where id <= 7` })
const engine = await testEngine()
connectSearch(engine)
await rebuildIndex({ db, engine, markets: ['gb'] })

const home = (overrides: Partial<Scope> = {}) => showHome(database.scope(overrides))
const ids = (cards: { productId: string }[]): string[] => cards.map(({ productId }) => productId)

test('home shows departments, brands and three rows of products in stock', async () => {
  const { departments, brands, deals, topSales } = await home()
  assert.deepEqual(
    departments.map(({ id }) => id),
    [1, 2],
  )
  assert.deepEqual(
    brands.map(({ name }) => name),
    ['Tarvok', 'Brexiro'],
  )
  assert.deepEqual(ids(deals).toSorted(), ['1', '11', '3', '5', '7', '9'])
  assert.deepEqual(ids(topSales), ['11', '10'])
})

test('rows hold 9, 8 and at least 4 cards; a product is new for 7 days', () => {
  assert.deepEqual([carouselSizes.deals, carouselSizes.topSales, carouselSizes.fewest, newForDays], [9, 8, 4, 7])
})

test('consumers see new products', async () => {
  assert.deepEqual(ids((await home()).highlights).toSorted(), ['10', '11', '8', '9'])
})

test('professionals see products with pro conditions; if there are too few, popular ones fill in', async () => {
  const { highlights } = await home({ mode: 'b2b' })
  assert.deepEqual(ids(highlights).slice(0, 3), ['11', '10', '9'])
  assert.equal(highlights.length, carouselSizes.topSales)
  assert.equal(highlights[0]?.prices.taxKey, 'with_vat')
})

test('F6 without the search engine the home page still has its departments', async () => {
  engine.failure = 'down'
  const { departments, deals, highlights } = await home({ now: new Date(Date.now() + 3_600_000) })
  engine.failure = null
  assert.deepEqual([departments.length, deals, highlights], [2, [], []])
})
