import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newId } from '#platform'
import { testDatabase } from '#platform/testing'
import { testOffer, testProduct, testReference } from '../listing/test-shop.ts'
import { releaseStock, reserveStock, type StockWish } from './reserve-stock.ts'

const database = await testDatabase({ upTo: 'pricing' })
const { db } = database
await testReference(db)
await testProduct(db, { id: 1 })

const addMovement = {
  name: 'test.movement',
  text: `insert into catalogue.stock_movement (id, offer_id, delta, reason) values ($1, $2, $3, 'initial')`,
}
let offers = 0
/** An offer with this stock and its opening movement. */
async function offerWith(stock: number, more: { proPrice?: number } = {}): Promise<string> {
  const id = (offers += 1)
  await testOffer(db, { id, productId: 1, price: 1_000, stock, ...more })
  await db.run(addMovement, [newId(), id, stock])
  return String(id)
}
const wish = (offerId: string, quantity: number, more: Partial<StockWish> = {}): StockWish => ({
  offerId,
  quantity,
  price: 1_000,
  proPrice: null,
  quantityBreaks: [],
  ...more,
})
const stockSql = {
  name: 'test.stock',
  text: `select o.id::text, o.stock, (select sum(delta)::int from catalogue.stock_movement m where m.offer_id = o.id) as moved
    from catalogue.offer o where o.id = any($1::bigint[]) order by o.id`,
}
/** Stock of offers; I2: it equals the sum of its movements. */
async function stockOf(...ids: string[]): Promise<number[]> {
  const rows = await db.rows<{ stock: number; moved: number }>(stockSql, [ids])
  for (const { stock, moved } of rows) assert.equal(stock, moved)
  return rows.map(({ stock }) => stock)
}
const reserve = (reference: string, ...wishes: StockWish[]) =>
  database.command({}, async (scope) => (await reserveStock(scope.db, reference, wishes)).map(({ offerId, stock }) => [offerId, stock]))
const release = (reference: string, ...ids: string[]) =>
  database.command({}, async (scope) => (await releaseStock(scope.db, reference, ids)).map(({ offerId, stock }) => [offerId, stock]))

test('I2 reserving reduces the stock, with a movement for the order', async () => {
  const [a, b] = [await offerWith(5), await offerWith(3)]
  assert.deepEqual((await reserve('order-1', wish(a, 2), wish(b, 3))).toSorted(), [
    [a, 3],
    [b, 0],
  ])
  assert.deepEqual(await stockOf(a, b), [3, 0])
})

test('offers that cannot be reserved are missing from the result: too little stock, another price, no longer on sale, unknown', async () => {
  const [few, dearer, pro, paused, good] = [
    await offerWith(1),
    await offerWith(5),
    await offerWith(5, { proPrice: 900 }),
    await offerWith(5),
    await offerWith(5),
  ]
  await db.run({ name: 'test.pause', text: `update catalogue.offer set status = 'paused' where id = $1` }, [paused])
  const got = await reserve(
    'order-2',
    wish(few, 2),
    wish(dearer, 1, { price: 999 }),
    wish(pro, 1),
    wish(paused, 1),
    wish('999999', 1),
    wish(good, 1),
  )
  assert.deepEqual(got, [[good, 4]])
  assert.deepEqual(await stockOf(few, dearer, pro, paused), [1, 5, 5, 5])
  assert.deepEqual(await reserve('order-3', wish(pro, 1, { proPrice: 900 })), [[pro, 4]])
})

test('a release returns the order’s stock once, and none of another order’s', async () => {
  const offer = await offerWith(9)
  await reserve('order-4', wish(offer, 2))
  await reserve('order-5', wish(offer, 3))
  const both = await Promise.all([release('order-4', offer), release('order-4', offer)])
  assert.deepEqual(both.flat(), [[offer, 6]])
  assert.deepEqual(await release('order-4', offer), [])
  assert.deepEqual(await release('order-6', offer), [])
  assert.deepEqual(await stockOf(offer), [6])
})

test('concurrent orders for the same offers, in any order, never oversell and never deadlock', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 3, maxLength: 3 }),
      fc.array(fc.tuple(fc.shuffledSubarray([0, 1, 2], { minLength: 1 }), fc.integer({ min: 1, max: 3 })), { minLength: 2, maxLength: 6 }),
      async (stocks, orders) => {
        const ids: string[] = []
        for (const stock of stocks) ids.push(await offerWith(stock))
        const sold = new Map(ids.map((id) => [id, 0]))
        const answers = await Promise.all(
          orders.map(async ([places, quantity], index) => {
            const got = await reserve(`${ids[0]}-${index}`, ...places.map((place) => wish(ids[place]!, quantity)))
            return { got, quantity }
          }),
        )
        for (const { got, quantity } of answers) for (const [id] of got) sold.set(String(id), sold.get(String(id))! + quantity)
        const left = await stockOf(...ids)
        for (const [at, id] of ids.entries()) {
          assert.equal(left[at], stocks[at]! - sold.get(id)!)
          assert.ok(left[at] >= 0)
        }
        for (const index of orders.keys()) await release(`${ids[0]}-${index}`, ...ids)
        assert.deepEqual(await stockOf(...ids), stocks)
      },
    ),
    { numRuns: 25 },
  )
})
