import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { addToCart } from '#cart'
import { releaseStock, reserveStock } from '#catalogue'
import { testDatabase } from '#platform/testing'
import { writePrices } from '../../goods/catalogue/write-price.ts'
import { chooseDelivery } from './choose-delivery.ts'
import { showOrder } from './show-order.ts'
import { addOffer, draftOrder, fillShop, must, newBuyer, place, stockOf } from './testing.ts'

const database = await testDatabase({ upTo: 'notify' })
await fillShop(database)

const count = async (text: string, values: unknown[] = []): Promise<number> =>
  (
    await database.db.row<{ count: number }>(
      { name: `test.${text}`.slice(0, 60), text: `select count(*)::int as count from ${text}` },
      values,
    )
  )?.count ?? 0

test('I2 I3: 50 buyers race for 10 units, 8 at once: exactly 10 are sold', async () => {
  await addOffer(database, { id: '1001', stock: 10 })
  const waiting = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const buyer = newBuyer(database)
      return { buyer, orderId: await draftOrder(buyer, [{ offerId: '1001', quantity: 1 }]) }
    }),
  )
  const results: string[] = []
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const placed = await place(next.buyer, next.orderId)
        results.push(placed.ok ? 'sold' : placed.reason)
      }
    }),
  )
  assert.equal(results.filter((result) => result === 'sold').length, 10)
  assert.deepEqual([...new Set(results)].sort(), ['sold', 'sold-out'])
  assert.equal(await stockOf(database, '1001'), 0)
  assert.equal(await count('orders.order_line where offer_id = 1001'), 10)
  assert.equal(await count(`catalogue.stock_movement where offer_id = 1001 and reason = 'reserved'`), 10)
  assert.equal(await count(`payments.payment`), 10)
})

// Eighteen: with the two attempts after them, as many as the quota of a session allows.
test('I3 A30: the same key sent 18 times at once places one order; with another order it is refused', async () => {
  await addOffer(database, { id: '1002', stock: 100 })
  const buyer = newBuyer(database)
  const orderId = await draftOrder(buyer, [{ offerId: '1002', quantity: 2 }])
  const key = randomUUID()
  const results = await Promise.all(Array.from({ length: 18 }, () => place(buyer, orderId, key)))
  assert.deepEqual(
    results,
    Array.from({ length: 18 }, () => ({ ok: true, orderId })),
  )
  assert.equal(await stockOf(database, '1002'), 98)
  assert.equal(await count('payments.payment where customer_order_id = $1', [orderId]), 1)
  assert.deepEqual(await place(buyer, 'P0000000000000000', key), { ok: false, reason: 'idempotency-key-reused' })
  assert.deepEqual(await place(buyer, orderId), { ok: false, reason: 'payment-in-progress' })
})

test('orders for the same offers in opposite order never deadlock', async () => {
  await addOffer(database, { id: '1003', stock: 500 })
  await addOffer(database, { id: '1004', stock: 500, sellerId: 2 })
  const drafts = await Promise.all(
    Array.from({ length: 24 }, async (_, index) => {
      const buyer = newBuyer(database)
      const lines = [
        { offerId: '1003', quantity: 1 },
        { offerId: '1004', quantity: 1 },
      ]
      return { buyer, orderId: await draftOrder(buyer, index % 2 ? lines : lines.toReversed()) }
    }),
  )
  const results = await Promise.all(drafts.map(({ buyer, orderId }) => place(buyer, orderId)))
  assert.ok(results.every(({ ok }) => ok))
  assert.equal(await stockOf(database, '1003'), 476)
  assert.equal(await stockOf(database, '1004'), 476)
})

test('A20: a price that rose after the buyer saw it is reported first, never charged', async () => {
  await addOffer(database, { id: '1005', price: 1000 })
  const buyer = newBuyer(database)
  const orderId = await draftOrder(buyer, [{ offerId: '1005', quantity: 1 }])
  await writePrices(database.db, [{ offerId: '1005', price: 1100, proPrice: null }])
  assert.deepEqual(await place(buyer, orderId), { ok: false, reason: 'cart-changed' })
  assert.equal(await stockOf(database, '1005'), 100)
})

test('A20: goods that sell out during checkout are reported: the draft still shows, and delivery waits for the cart to be fixed', async () => {
  await addOffer(database, { id: '1008', stock: 1 })
  const buyer = newBuyer(database)
  const orderId = await draftOrder(buyer, [{ offerId: '1008', quantity: 1 }])
  await database.db.run({ name: 'test.gone', text: 'update catalogue.offer set stock = 0 where id = 1008' })
  const shown = await showOrder(buyer.scope(), orderId)
  assert.deepEqual(
    shown?.sellerOrders.map(({ deliveryOptions, deliveryLabel }) => [deliveryOptions, deliveryLabel]),
    [[[], '']],
  )
  const choices = [{ sellerId: 1, kind: 'standard' }]
  assert.deepEqual(await buyer.does((scope) => chooseDelivery(scope, orderId, choices)), { ok: false, reason: 'cart-changed' })
  assert.deepEqual(await place(buyer, orderId), { ok: false, reason: 'sold-out', details: { title: 'Drill 1008' } })
})

test('A1 A2: another session’s order cannot be placed, whatever its id', async () => {
  await addOffer(database, { id: '1006' })
  const orderId = await draftOrder(newBuyer(database), [{ offerId: '1006', quantity: 1 }])
  const stranger = newBuyer(database)
  must(await stranger.does((scope) => addToCart(scope, { offerId: '1006', quantity: 1 })))
  assert.deepEqual(await place(stranger, orderId), { ok: false, reason: 'unknown-order' })
  assert.deepEqual(await place(stranger, ''), { ok: false, reason: 'unknown-order' })
})

test('A20: stock is not reserved at an outdated price, nor beyond what is available', async () => {
  await addOffer(database, { id: '1007', price: 1000, stock: 5 })
  const wish = { offerId: '1007', quantity: 5, price: 1000, proPrice: null, quantityBreaks: [] }
  const reserved = (over: Partial<typeof wish>) =>
    database.command({}, (scope) => reserveStock(scope.db, 'ORDER-1', [{ ...wish, ...over }]))
  assert.deepEqual(await reserved({ price: 999 }), [])
  assert.deepEqual(await reserved({ quantity: 6 }), [])
  assert.deepEqual(await reserved({}), [{ offerId: '1007', productId: '1007', market: 'gb', stock: 0 }])
  assert.deepEqual(await database.command({}, (scope) => releaseStock(scope.db, 'ORDER-1', ['1007'])), [
    { offerId: '1007', productId: '1007', market: 'gb', stock: 5 },
  ])
  assert.deepEqual(await database.command({}, (scope) => releaseStock(scope.db, 'ORDER-1', ['1007'])), [])
})
