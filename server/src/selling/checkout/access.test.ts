import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testCustomer, testGuest, testMember, testOperator, testSellerMember } from '@purlin/contract/testing.ts'
import { chooseCartDelivery } from '#cart'
import { testDatabase } from '#platform/testing'
import type { Scope } from '#platform'
import { writePrices } from '../../goods/catalogue/write-price.ts'
import { chooseDelivery } from './choose-delivery.ts'
import { findFunnelStep } from './funnel.ts'
import { placeOrder } from './place-order.ts'
import { reopenOrder } from './reopen-order.ts'
import { saveAddress } from './save-address.ts'
import { showOrder } from './show-order.ts'
import { addOffer, addresses, draftOrder, fillShop, must, newBuyer, place, stockOf } from './testing.ts'

const database = await testDatabase()
await fillShop(database)
await addOffer(database, { id: '301' })
await addOffer(database, { id: '302', market: 'fr' })

const owner = newBuyer(database)
const mine = await draftOrder(owner, [{ offerId: '301', quantity: 1 }])
must(await place(owner, mine))

const strangers: Record<string, Partial<Scope>> = {
  'another guest': newBuyer(database).overrides,
  'nobody at all': { principal: testGuest() },
  'a session without id': { principal: testGuest({ id: '' }) },
  'the same session in another market': { ...owner.overrides, market: 'fr' },
  'a customer': { principal: testCustomer() },
  'a customer without id': { principal: testCustomer({ id: '' }) },
  'a customer named like the session': { principal: testCustomer({ id: owner.scope().session?.id ?? '' }) },
  'a professional': { mode: 'b2b', principal: testMember({ role: 'admin' }) },
  'a seller': { principal: testSellerMember() },
  'an operator': { principal: testOperator({ roles: [{ role: 'support', market: null }] }) },
}
for (const [who, overrides] of Object.entries(strangers)) {
  test(`A1 A2 A8 A14 A15: ${who} can neither see nor change a guest’s order, nor learn that it exists`, async () => {
    const scope = database.scope(overrides)
    assert.equal(await showOrder(scope, mine), null)
    const unknown = { ok: false, reason: 'unknown-order' }
    const does = <Value>(work: (scope: Scope) => Promise<Value>) => database.command(overrides, work)
    assert.deepEqual(await does((each) => reopenOrder(each, mine)), unknown)
    assert.deepEqual(await does((each) => chooseDelivery(each, mine, [{ sellerId: 1, kind: 'express' }])), unknown)
    assert.deepEqual(await does((each) => placeOrder(each, { customerOrderId: mine, idempotencyKey: 'a-key-of-a-stranger' })), unknown)
    // An order that does not exist gets the same answer.
    assert.deepEqual(await does((each) => reopenOrder(each, 'P0000000000000000')), unknown)
    assert.notEqual((await findFunnelStep(scope)).customerOrderId, mine)
  })
}

test('A14 R-491: a malformed order id is not looked up', async () => {
  for (const id of ['', ' ', 'null', '../x', "' or 1=1", 'P'.repeat(41), 'P%00', 'a b c d e f']) {
    assert.equal(await showOrder(owner.scope(), id), null)
    assert.deepEqual(await place(owner, id), { ok: false, reason: 'unknown-order' })
  }
  assert.equal((await showOrder(owner.scope(), mine))?.id, mine)
  assert.match(mine, /^[A-Za-z0-9_-]+$/)
})

test('A31: a placed, paid or cancelled order is not placed again', async () => {
  assert.deepEqual(await place(owner, mine), { ok: false, reason: 'payment-in-progress' })
  for (const [state, reason] of [
    ['authorised', 'payment-in-progress'],
    ['paid', 'order-already-paid'],
    ['cancelled', 'order-not-open'],
    ['shipped', 'order-already-paid'],
  ]) {
    await database.pool.query('update orders.customer_order set state = $2 where id = $1', [mine, state])
    assert.deepEqual(await place(owner, mine), { ok: false, reason })
    assert.notEqual((await owner.does((scope) => reopenOrder(scope, mine))).ok, true)
  }
  await database.pool.query(`update orders.customer_order set state = 'awaiting-payment' where id = $1`, [mine])
})

test('R-128: reopening releases the stock, and the order can be changed and placed again', async () => {
  const buyer = newBuyer(database, { market: 'fr' })
  const id = await draftOrder(buyer, [{ offerId: '302', quantity: 3 }])
  must(await place(buyer, id))
  assert.equal(await stockOf(database, '302'), 97)
  assert.deepEqual(await findFunnelStep(buyer.scope()), { step: 'payment', customerOrderId: id, email: buyer.email })
  must(await buyer.does((scope) => saveAddress(scope, { ...addresses.fr, city: 'Lyon', postcode: '69001' })))
  assert.equal(await stockOf(database, '302'), 100)
  assert.deepEqual((await findFunnelStep(buyer.scope())).step, 'delivery')
  must(await buyer.does((scope) => chooseCartDelivery(scope, [{ sellerId: 1, kind: 'express' }])))
  must(await place(buyer, id))
  assert.equal(await stockOf(database, '302'), 97)
  const order = await showOrder(buyer.scope(), id)
  assert.deepEqual([order?.address.city, order?.sellerOrders[0]?.deliveryKind, order?.state], ['Lyon', 'express', 'awaiting-payment'])
})

test('an order shows the product as sold, whatever happens to it afterwards', async () => {
  await database.pool.query(`update catalogue.product set titles = '{"en": "Something else"}' where id = 301`)
  await writePrices(database.db, [{ offerId: '301', price: 9999, proPrice: null }])
  const line = (await showOrder(owner.scope(), mine))?.sellerOrders[0]?.lines[0]
  assert.deepEqual([line?.title, line?.unitPrice.formatted], ['Drill 301', '£12.00'])
})
