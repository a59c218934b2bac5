import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { addToCart, loadPricedCart } from '#cart'
import { readOrder } from '#orders'
import { testDatabase } from '#platform/testing'
import { applyCoupon } from '../cart/apply-coupon.ts'
import { setCartQuantity } from '../cart/set-cart-quantity.ts'
import { addCoupon, addOffer, draftOrder, fillShop, must, newBuyer, place, type Buyer } from './testing.ts'

/** Attempts to pay less than the price with samples and cents. */

const database = await testDatabase()
const { db, pool } = database
const pennies = 300

before(async () => {
  await fillShop(database)
  await addOffer(database, { id: '2701', price: 100, stock: 5000, isSample: true })
  await addOffer(database, { id: '2702', price: 6000 })
  for (let at = 0; at <= pennies; at++) await addOffer(database, { id: String(29_000 + at), price: 1, stock: 5000 })
})

const add = (buyer: Buyer, offerId: string, quantity = 1) => buyer.does((scope) => addToCart(scope, { offerId, quantity }))
const cartOf = (buyer: Buyer) => loadPricedCart(buyer.scope())
async function orderOf(id: string) {
  const order = await readOrder(db, id)
  assert.ok(order)
  return order
}

test('A27 a sample is one piece, asked for a thousand times over, again, by its quantity or in parallel', async () => {
  const buyer = newBuyer(database)
  const limit = { ok: false, reason: 'sample-limit' }
  assert.deepEqual(await add(buyer, '2701', 1000), limit)
  must(await add(buyer, '2701'))
  assert.deepEqual(await add(buyer, '2701'), limit)
  assert.deepEqual(await buyer.does((scope) => setCartQuantity(scope, '2701', 1000)), limit)
  const hasty = newBuyer(database)
  const added = await Promise.all(Array.from({ length: 12 }, () => add(hasty, '2701').catch(() => null)))
  assert.equal(added.filter((each) => each?.ok).length, 1)
  assert.equal((await cartOf(hasty)).cart.lines[0]?.quantity, 1)
})

test('A27 a cart that holds a thousand samples all the same is not ordered', async () => {
  const buyer = newBuyer(database)
  const id = await draftOrder(buyer, [{ offerId: '2701', quantity: 1 }])
  await pool.query('update cart.line set quantity = 1000 where offer_id = 2701')
  assert.equal((await place(buyer, id)).ok, false)
  assert.equal((await orderOf(id)).state, 'draft')
})

test('A27 A26 a sample alone pays its delivery, also after the goods that made it free were removed', async () => {
  const buyer = newBuyer(database)
  must(await add(buyer, '2702'))
  must(await add(buyer, '2701'))
  assert.equal((await cartOf(buyer)).totals.total, 6100)
  must(await buyer.does((scope) => setCartQuantity(scope, '2702', 0)))
  const id = await draftOrder(newBuyer(database, buyer.overrides), [])
  must(await place(buyer, id))
  assert.equal((await orderOf(id)).total, 590)
})

test('A26 goods that made the delivery free, and go once it has been chosen, leave an order that pays for its delivery or is not placed', async () => {
  const buyer = newBuyer(database)
  must(await add(buyer, '2702'))
  const id = await draftOrder(buyer, [{ offerId: '29001', quantity: 1 }])
  must(await buyer.does((scope) => setCartQuantity(scope, '2702', 0)))
  const placed = await place(buyer, id)
  assert.equal((await orderOf(id)).total, placed.ok ? 1 + 490 : null)
})

/** As somebody with the API would fill a cart. */
async function addPennies(buyer: Buyer, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at++) must(await add(buyer, String(29_000 + at)))
}

test('A29 three hundred lines of a penny cost three hundred pence, ten percent less is thirty, and there is no line more', async () => {
  const buyer = newBuyer(database)
  await addPennies(buyer, 0, pennies)
  assert.equal((await cartOf(buyer)).totals.goods, 300)
  assert.equal((await add(buyer, String(29_000 + pennies))).ok, false)
  await addCoupon(database, { code: 'PENNY10' })
  must(await buyer.does((scope) => applyCoupon(scope, 'PENNY10')))
  const { totals, couponDiscount, sellers } = await cartOf(buyer)
  assert.deepEqual([couponDiscount, totals.goods - totals.discount], [30, 270])
  assert.ok(sellers.every(({ lines }) => lines.every(({ total, discount }) => discount >= 0 && discount <= total)))
})

test('A29 an order of pennies is paid to the last of them: parts of sellers, net amounts and VAT sum to its total', async () => {
  const buyer = newBuyer(database)
  await addPennies(buyer, 0, 20)
  const id = await draftOrder(buyer, [{ offerId: '29020', quantity: 280 }])
  must(await place(buyer, id))
  const { total, totals, sellerOrders } = await orderOf(id)
  assert.equal(total, 300 + 490)
  assert.equal(
    sellerOrders.reduce((sum, each) => sum + each.total, 0),
    total,
  )
  assert.equal((totals?.net ?? 0) + (totals?.vat ?? 0), total)
})
