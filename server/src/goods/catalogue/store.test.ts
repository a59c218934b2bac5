import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Db } from '#platform'
import { testDatabase } from '#platform/testing'
import { testOffer, testProduct, testReference } from '../listing/test-shop.ts'
import { findProduct, forgetProducts } from './find-product.ts'
import { offersForSale } from './offers-for-sale.ts'
import {
  readMarketOffers,
  readModelIds,
  readModelMembers,
  readProductIds,
  readProductPage,
  readProducts,
  readSellerProductIds,
} from './store.ts'

const database = await testDatabase({ upTo: 'pricing' })
const { db, pool } = database
await testReference(db)
for (let id = 1; id <= 12; id += 1) {
  await testProduct(db, { id, modelId: id <= 3 ? 5 : null, status: id === 12 ? 'ended' : 'active', successorId: id === 12 ? 1 : null })
  await testOffer(db, { id: id * 10, productId: id, sellerId: 1 })
  await testOffer(db, { id: id * 10 + 1, productId: id, market: 'fr', sellerId: id % 2 ? 1 : 4 })
}
await db.run({ name: 'test.pause', text: `update catalogue.offer set status = 'paused' where id in (20, 31)` })

async function allPages(read: (after: string) => Promise<string[]>): Promise<string[][]> {
  const pages: string[][] = []
  for (let page = await read('0'); page.length > 0; page = await read(page.at(-1) as string)) pages.push(page)
  return pages
}

test('active products are read in key order, page by page, each once', async () => {
  const active = Array.from({ length: 11 }, (_, at) => String(at + 1))
  assert.deepEqual((await allPages((after) => readProductIds(db, after, 4))).flat(), active)
  const pages = await allPages(async (after) => (await readProductPage(db, after, 5)).map(({ id }) => id))
  assert.deepEqual(
    pages.map(({ length }) => length),
    [5, 5, 1],
  )
  assert.deepEqual(pages.flat(), active)
  assert.deepEqual(
    (await readProducts(db, ['3', '12', '99'])).map(({ id }) => id),
    ['3'],
  )
})

test('a seller’s products are read in order, each once, in however many markets they are offered', async () => {
  const pages = await allPages((after) => readSellerProductIds(db, 1, after, 5))
  assert.deepEqual(
    pages.map(({ length }) => length),
    [5, 5, 2],
  )
  assert.deepEqual(
    pages.flat(),
    Array.from({ length: 12 }, (_, at) => String(at + 1)),
  )
  assert.deepEqual((await allPages((after) => readSellerProductIds(db, 4, after, 4))).flat(), ['2', '4', '6', '8', '10', '12'])
})

test('a page of a seller’s products is read from the index alone, not from all the seller’s offers', async () => {
  const client = await pool.connect()
  try {
    await client.query('set enable_seqscan = off')
    const { rows } = await client.query(
      'explain select distinct o.product_id as id from catalogue.offer o where o.seller_id = 1 and o.product_id > 0 order by 1 limit 200',
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    assert.match(plan, /Index Only Scan using offer_seller_product/)
    assert.doesNotMatch(plan, /Sort|HashAggregate/)
  } finally {
    await client.query('reset enable_seqscan')
    client.release()
  }
})

test('the active offers of a market are returned by product', async () => {
  const offers = await readMarketOffers(db, ['1', '2', '3', '99'], 'gb')
  assert.deepEqual([...offers].map(([product, list]) => [product, list.map(({ id }) => id)]).toSorted(), [
    ['1', ['10']],
    ['3', ['30']],
  ])
  assert.equal((await readMarketOffers(db, [], 'gb')).size, 0)
})

test('models know their products and the markets in which somebody sells them', async () => {
  assert.deepEqual(await readModelIds(db, ['1', '2', '7', '99']), ['5'])
  const members = (await readModelMembers(db, ['5'])).map(({ id, markets }) => [id, markets.toSorted()]).toSorted()
  assert.deepEqual(members, [
    ['1', ['fr', 'gb']],
    ['2', ['fr']],
    ['3', ['gb']],
  ])
  assert.deepEqual(await readModelMembers(db, []), [])
})

test('an offer is on sale when both offer and product are', async () => {
  const offers = await offersForSale(db, ['10', '20', '120', '999'])
  assert.deepEqual([...offers].map(([id, { onSale }]) => [id, onSale]).toSorted(), [
    ['10', true],
    ['120', false],
    ['20', false],
  ])
  assert.equal((await offersForSale(db, [])).size, 0)
})

test('concurrent requests for a page share one statement; a failed one is retried', async () => {
  let asked = 0
  const counting: Db = { ...db, row: (statement, values) => ((asked += 1), db.row(statement, values)) }
  const dead: Db = { ...db, row: () => Promise.reject(new Error('gone')) }
  forgetProducts(null)
  await assert.rejects(findProduct(database.scope({ db: dead }), '1'), /gone/)
  const found = await Promise.all(Array.from({ length: 8 }, () => findProduct(database.scope({ db: counting }), '1')))
  assert.equal(asked, 1)
  assert.ok(found.every((sheet) => sheet === found[0]))
  await findProduct(database.scope({ db: counting, market: 'fr' }), '1')
  assert.equal(asked, 2)
})
