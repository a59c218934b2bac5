import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { addCoupon, addOffer, draftOrder, fillShop, must, newBuyer, place } from '../checkout/testing.ts'
import { applyCoupon } from './apply-coupon.ts'
import { loadPricedCart } from './load-cart.ts'
import { leastPayable } from './price-cart.ts'

/** A coupon that covers a whole order leaves the least that a card pays: the order can be placed. */

const database = await testDatabase()
await fillShop(database)
await addOffer(database, { id: '1', price: 10_000, stock: 1000 })
await addOffer(database, { id: '2', price: 333, stock: 1000 })
await addCoupon(database, { code: 'ALL', kind: 'amount', value: 1_000_000 })
await addCoupon(database, { code: 'HUNDRED', kind: 'percent', value: 100 })
await addCoupon(database, { code: 'ALMOST', kind: 'amount', value: 9_970 })
await database.pool.query(`update sellers.seller set free_delivery_from = '{"gb": 1}'`)

async function payableWith(code: string, lines: { offerId: string; quantity: number }[]) {
  const buyer = newBuyer(database)
  const id = await draftOrder(buyer, lines)
  must(await buyer.does((scope) => applyCoupon(scope, code)))
  const { totals, couponDiscount, couponReason, sellers } = await loadPricedCart(buyer.scope())
  assert.equal(couponReason, null)
  assert.equal(totals.goods + totals.delivery - totals.discount, totals.total)
  const ofLines = sellers.flatMap((group) => group.lines).reduce((sum, { discount }) => sum + discount, 0)
  assert.equal(ofLines, couponDiscount, 'the lines and the sum say the same')
  must(await place(buyer, id))
  const { rows } = await database.pool.query('select total, coupon_code from orders.customer_order where id = $1', [id])
  assert.deepEqual(rows, [{ total: totals.total, coupon_code: code }])
  return totals.total
}

test('an order that its coupon covers is placed for the least a card pays, whatever kind of coupon and however many lines', async () => {
  for (const code of ['ALL', 'HUNDRED', 'ALMOST']) {
    assert.equal(await payableWith(code, [{ offerId: '1', quantity: 1 }]), leastPayable, code)
  }
  const lines = [
    { offerId: '1', quantity: 2 },
    { offerId: '2', quantity: 3 },
  ]
  assert.equal(await payableWith('ALL', lines), leastPayable)
})

test('a coupon that leaves more to pay is not touched', async () => {
  assert.equal(await payableWith('ALMOST', [{ offerId: '1', quantity: 2 }]), 20_000 - 9_970)
})
