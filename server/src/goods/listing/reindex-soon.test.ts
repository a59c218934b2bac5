import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Db } from '#platform'
import { testDatabase } from '#platform/testing'
import { writePrices } from '../catalogue/write-price.ts'
import { productsIndex, type ProductDocument } from './document.ts'
import { connectSearch } from './ports.ts'
import { rebuildIndex } from './rebuild-index.ts'
import { reindexProducts } from './reindex-products.ts'
import { reindexSoon } from './reindex-soon.ts'
import { testEngine } from './test-engine.ts'
import { testOffer, testProduct, testReference } from './test-shop.ts'

const database = await testDatabase({ upTo: 'pricing' })
const { db } = database
await testReference(db)
const ids = ['1', '2', '3', '4']
for (const id of ids.map(Number)) {
  await testProduct(db, { id })
  await testOffer(db, { id: id * 10, productId: id, price: 1_000 })
}
const engine = await testEngine()
connectSearch(engine)
await rebuildIndex({ db, engine })

const priceOf = async (id: string) => ((await engine.getObjects(productsIndex('gb'), [id]))[0] as ProductDocument | null)?.price
const reprice = (id: string, price: number) => writePrices(db, [{ offerId: String(Number(id) * 10), price, proPrice: null }])

/** Counts how often products are read, which a reindexing does once. */
function counting(): { db: Db; reads: () => number } {
  let reads = 0
  const rows: Db['rows'] = (statement, values) => {
    if (statement.name === 'catalogue.products') reads += 1
    return db.rows(statement, values)
  }
  return { db: { ...db, rows }, reads: () => reads }
}

test('a burst of changes is reindexed once, and each change gets the tags of the whole batch', async () => {
  for (const id of ids) await reprice(id, 2_000)
  const counted = counting()
  const tags = await Promise.all(ids.map((id) => reindexSoon(counted.db, id, 'gb')))
  assert.equal(counted.reads(), 1)
  for (const one of tags) for (const id of ids) assert.ok(one.includes(`product:${id}`))
  assert.deepEqual(await Promise.all(ids.map(priceOf)), [2_000, 2_000, 2_000, 2_000])
})

test('a change that arrives while the batch is being read belongs to the next one', async () => {
  await reprice('1', 3_000)
  let second: Promise<string[]> | undefined
  const rows: Db['rows'] = async (statement, values) => {
    const found = await db.rows(statement, values)
    if (statement.name === 'catalogue.market-offers' && !second) {
      await reprice('1', 4_000)
      second = reindexSoon(db, '1', 'gb')
    }
    return found as never
  }
  await reindexSoon({ ...db, rows }, '1', 'gb')
  assert.ok(second)
  assert.ok((await second).includes('product:1'))
  assert.equal(await priceOf('1'), 4_000)
})

test('a failed batch rejects for every caller in it and does not affect the next one', async () => {
  const dead: Db = { ...db, rows: () => Promise.reject(new Error('gone')) }
  const failed = await Promise.allSettled([reindexSoon(dead, '1', 'gb'), reindexSoon(dead, '2', 'gb')])
  assert.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  await reprice('2', 5_000)
  await reindexSoon(db, '2', 'gb')
  assert.equal(await priceOf('2'), 5_000)
})

test('markets do not wait for each other, and a product without a market is reindexed in all of them', async () => {
  await testOffer(db, { id: 31, productId: 3, market: 'fr', sellerId: 4, price: 7_000 })
  await reprice('3', 7_000)
  const tags = await reindexSoon(db, '3', null)
  assert.ok(tags.includes('seller:4'))
  assert.equal(((await engine.getObjects(productsIndex('fr'), ['3']))[0] as ProductDocument | null)?.price, 7_000)
  assert.equal(await priceOf('3'), 7_000)
})

test('up-to-date documents are not touched and purge nothing', async () => {
  const version = engine.version(productsIndex('gb'))
  assert.deepEqual(await reindexProducts({ db, engine, now: new Date() }, ids, ['gb']), [])
  assert.equal(engine.version(productsIndex('gb')), version)
})

test('moving a product to another category purges the pages of both', async () => {
  await db.run({ name: 'test.move', text: 'update catalogue.product set category_id = 12, brand_id = 2 where id = 4' })
  const tags = await reindexProducts({ db, engine, now: new Date() }, ['4'], ['gb'])
  for (const tag of ['category:11', 'category:12', 'brand:1', 'brand:2', 'category:1']) assert.ok(tags.includes(tag), tag)
})
