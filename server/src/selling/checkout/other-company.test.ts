import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { loadPricedCart } from '#cart'
import { givePriceList } from '#conditions'
import { readOrder } from '#orders'
import { testDatabase } from '#platform/testing'
import { saveOrderReference, showOrderReference } from '../purchasing/order-reference.ts'
import { addMembership } from '../../people/accounts/testing.ts'
import { findFunnelStep } from './funnel.ts'
import { saveAddress } from './save-address.ts'
import { addOffer, addresses, companiesIn, draftOrder, fillShop, must, newBuyer, place, stockOf, type Colleague } from './testing.ts'

/** A member of two companies fills one basket, and orders it for the company they act for. */

const database = await testDatabase()
const { db } = database
const { newCompany, join } = companiesIn(database)

before(async () => {
  await fillShop(database)
  await addOffer(database, { id: '7001', price: 100_00, proPrice: 100_00, stock: 50 })
})

/** The same person in both companies. */
async function memberOfTwo() {
  const [first, second] = [await newCompany(), await newCompany()]
  const inFirst = await join(first, 'buyer')
  await addMembership(db, inFirst.principal.id, second.id, 'buyer')
  const principal = { ...inFirst.principal, company: second }
  const inSecond: Colleague = { ...inFirst, ...newBuyer(database, { ...inFirst.overrides, principal }), principal }
  return { first, second, inFirst, inSecond }
}

test('the basket stays when a member acts for another company, at the prices of that one', async () => {
  const { second, inFirst, inSecond } = await memberOfTwo()
  const list = { name: 'Second', market: 'gb', validFrom: null, validTo: null, companies: [{ companyId: second.id }], groups: [] } as const
  must(
    await database.command({}, (scope) =>
      givePriceList(scope, 1, { ...list, rules: [{ productId: '7001', categoryId: null, price: 60_00, percentBp: null }] }),
    ),
  )
  await draftOrder(inFirst, [{ offerId: '7001', quantity: 2 }])
  const before = await loadPricedCart(inFirst.scope())
  const after = await loadPricedCart(inSecond.scope())
  assert.deepEqual(
    [before, after].map(({ totals, sellers }) => [sellers[0]?.lines[0]?.quantity, totals.goods]),
    [
      [2, 200_00],
      [2, 120_00],
    ],
  )
})

test('an order begun for one company is not continued for another: it begins anew, without that one’s purchase order and cost centre', async () => {
  const { first, second, inFirst, inSecond } = await memberOfTwo()
  const begun = await draftOrder(inFirst, [{ offerId: '7001', quantity: 1 }])
  const names = { purchaseOrder: 'PO 1', costCentre: 'C-1' }
  must(await inFirst.does((scope) => saveOrderReference(scope, begun, names)))
  assert.equal((await findFunnelStep(inFirst.scope())).step, 'delivery')
  const { step, customerOrderId } = await findFunnelStep(inSecond.scope())
  assert.deepEqual([step, customerOrderId], ['address', null])

  const { orderId } = must(await inSecond.does((scope) => saveAddress(scope, addresses.gb)))
  assert.notEqual(orderId, begun)
  assert.deepEqual(
    [(await readOrder(db, begun))?.state, (await readOrder(db, orderId))?.companyId, (await readOrder(db, begun))?.companyId],
    ['cancelled', second.id, first.id],
  )
  const shown = await showOrderReference(inSecond.scope(), orderId)
  assert.deepEqual([shown?.purchaseOrder, shown?.costCentre], [null, null])
  assert.equal((await findFunnelStep(inSecond.scope())).step, 'delivery')
  must(await place(inSecond, orderId))
})

test('one that already waits for its payment gives its goods back first', async () => {
  const { inFirst, inSecond } = await memberOfTwo()
  const before = await stockOf(database, '7001')
  const placed = await draftOrder(inFirst, [{ offerId: '7001', quantity: 3 }])
  must(await place(inFirst, placed))
  assert.equal(await stockOf(database, '7001'), before - 3)
  assert.equal((await findFunnelStep(inSecond.scope())).step, 'address')
  must(await inSecond.does((scope) => saveAddress(scope, addresses.gb)))
  assert.equal(await stockOf(database, '7001'), before)
  assert.equal((await readOrder(db, placed))?.state, 'cancelled')
})
