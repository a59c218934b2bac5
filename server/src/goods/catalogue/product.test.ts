import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { testOffer, testProduct, testReference } from '../listing/test-shop.ts'
import { findProduct, forgetProducts } from './find-product.ts'
import { resolvers } from './graphql.ts'
import { modelOptions } from './model-options.ts'
import { reference } from './reference.ts'

const database = await testDatabase({ upTo: 'pricing' })
const { db } = database
await testReference(db)
await testProduct(db, { id: 1, modelId: 5, attributes: { voltage: 18, color: 'blue' } })
await testProduct(db, { id: 2, modelId: 5, attributes: { voltage: 18, color: 'red' } })
await testProduct(db, { id: 3, modelId: 5, attributes: { voltage: 12, color: 'red' } })
await testProduct(db, { id: 4, modelId: 5, attributes: { voltage: 12, color: 'blue' }, status: 'ended', successorId: 1 })
await testOffer(db, { id: 10, productId: 1 })
await testOffer(db, { id: 11, productId: 1, market: 'fr', sellerId: 4 })
await testOffer(db, { id: 12, productId: 3, stock: 0 })

test('a product comes with the offers of the viewer’s market only', async () => {
  const gb = await findProduct(database.scope(), '1')
  assert.deepEqual(
    gb?.offers.map(({ id }) => id),
    ['10'],
  )
  const fr = await findProduct(database.scope({ market: 'fr' }), '1')
  assert.deepEqual(
    fr?.offers.map(({ id }) => id),
    ['11'],
  )
  assert.ok(gb?.offers[0]?.createdAt instanceof Date)
})

test('an unknown or out-of-range id finds no product', async () => {
  for (const id of ['999', '0', '-1', 'x', '99999999999999999999999', '1; drop table', ''])
    assert.equal(await findProduct(database.scope(), id), null)
})

test('an ended product is found, with the page of its successor', async () => {
  const sheet = await findProduct(database.scope({ market: 'fr' }), '4')
  assert.equal(sheet?.product.status, 'ended')
  assert.ok(sheet)
  assert.match(resolvers.Product.successorUrl(sheet) ?? '', /^\/p\/.+-1$/)
})

test('the options of a model lead to the product that keeps the other choices', async () => {
  const sheet = await findProduct(database.scope(), '1')
  assert.ok(sheet)
  const options = modelOptions(sheet, await reference({ db }), 'gb')
  assert.deepEqual(
    options.map(({ label, values }) => [
      label,
      values.map(({ label: value, productId, selected, available }) => [value, productId, selected, available]),
    ]),
    [
      [
        'Voltage',
        [
          ['12 V', '3', false, false],
          ['18 V', '1', true, true],
        ],
      ],
      [
        'Colour',
        [
          ['blue', '1', true, true],
          ['red', '2', false, false],
        ],
      ],
    ],
  )
  assert.equal(options[1]?.values[0]?.hex, '#0000ff')
})

test('an option is available when at least one step of it is in stock', async () => {
  const available = async () => {
    forgetProducts(null)
    const sheet = await findProduct(database.scope({ market: 'it' }), '1')
    return sheet?.siblings.find(({ id }) => id === '2')?.available
  }
  await testOffer(db, { id: 13, productId: 2, market: 'it', bulk: 10, stock: 9 })
  assert.equal(await available(), false)
  await db.run({ name: 'test.restock', text: 'update catalogue.offer set stock = 10 where id = 13' })
  assert.equal(await available(), true)
})

test('options are in the market’s language', async () => {
  const sheet = await findProduct(database.scope({ market: 'de' }), '1')
  assert.ok(sheet)
  const [, colour] = modelOptions(sheet, await reference({ db }), 'de')
  assert.deepEqual([colour?.label, ...(colour?.values.map(({ label }) => label) ?? [])], ['Farbe', 'blau', 'rot'])
})

test('the category tree is linked both ways and in display order', async () => {
  const { categories } = await reference({ db })
  assert.deepEqual(
    categories.departments.map(({ id }) => id),
    [1, 2],
  )
  assert.deepEqual(
    categories.byId.get(1)?.children.map(({ id }) => id),
    [11, 12],
  )
  assert.deepEqual(
    categories.byId.get(2257)?.parents.map(({ id }) => id),
    [2],
  )
})

test('a recently requested product is not read again until its tag is purged', async () => {
  const stock = async () => (await findProduct(database.scope(), '1'))?.offers[0]?.stock
  assert.equal(await stock(), 10)
  await db.run({ name: 'test.sold', text: 'update catalogue.offer set stock = 9 where id = 10' })
  forgetProducts(['product:2', 'category:1'])
  assert.equal(await stock(), 10)
  forgetProducts(['product:1'])
  assert.equal(await stock(), 9)
})
