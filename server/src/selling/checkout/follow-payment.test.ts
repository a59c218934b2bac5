import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { unbalancedBookings } from '#ledger'
import { connectPaymentProcess, type PaymentProcess, type ProviderPayment } from '#payments'
import { readOrder } from '#orders'
import { testDatabase } from '#platform/testing'
import { applyProviderState } from '../payments/apply-provider-state.ts'
import type { KnownPayment } from '../payments/payment.ts'
import { readPaymentOfOrder } from '../payments/store.ts'
import { followPayment } from './follow-payment.ts'
import { addCoupon, addOffer, draftOrder, fillShop, must, newBuyer, place, stockOf } from './testing.ts'

const database = await testDatabase()
await fillShop(database)
await addCoupon(database, { code: 'TEN' })
afterEach(() => connectPaymentProcess(followPayment))

let offers = 9000
async function placed(): Promise<{ orderId: string; offerId: string }> {
  const offerId = String((offers += 1))
  await addOffer(database, { id: offerId, stock: 10 })
  const buyer = newBuyer(database)
  const orderId = await draftOrder(buyer, [{ offerId, quantity: 2 }])
  must(await place(buyer, orderId))
  return { orderId, offerId }
}

/** The provider's report about the order's payment, as a webhook or a response would carry it. */
async function says(
  orderId: string,
  status: ProviderPayment['status'],
  more: Partial<ProviderPayment> = {},
  known?: KnownPayment,
): Promise<string> {
  const payment = await readPaymentOfOrder(database.db, orderId)
  assert.ok(payment)
  const { id, amount, currency } = payment
  const money = { captured: status === 'captured' ? amount : 0, refunded: 0 }
  const base = { reference: `r-${id}`, paymentId: id, status, amount, currency, failureCode: null, card: null, frameUrl: null, ...money }
  return database.command({}, (scope) => applyProviderState(scope, id, { ...base, ...more }, 'test', known))
}

/** Payment, order, ledger, cart and stock in one snapshot. */
async function standing({ orderId, offerId }: { orderId: string; offerId: string }): Promise<unknown> {
  const count = async (text: string) => (await database.pool.query(`select count(*)::int as n from ${text}`, [orderId])).rows[0].n as number
  return {
    payment: (await readPaymentOfOrder(database.db, orderId))?.state,
    order: (await readOrder(database.db, orderId))?.state,
    bookings: await count('ledger.booking where customer_order_id = $1'),
    inCart: await count('cart.line where cart_id = (select cart_id from orders.customer_order where id = $1)'),
    stock: await stockOf(database, offerId),
    paid: (await database.events()).filter(
      ({ type, payload }) => type === 'order.paid' && 'customerOrderId' in payload && payload.customerOrderId === orderId,
    ).length,
  }
}

test('V-54 I1: capture, paid order, ledger booking and emptied cart are one transaction and happen once', async () => {
  const order = await placed()
  assert.equal(await says(order.orderId, 'authorised'), 'applied')
  const before = await standing(order)
  assert.deepEqual(before, { payment: 'authorised', order: 'authorised', bookings: 0, inCart: 1, stock: 8, paid: 0 })
  assert.equal(await says(order.orderId, 'captured'), 'applied')
  const after = { payment: 'captured', order: 'paid', bookings: 1, inCart: 0, stock: 8, paid: 1 }
  assert.deepEqual(await standing(order), after)
  assert.equal(await says(order.orderId, 'captured'), 'ignored')
  assert.deepEqual(await standing(order), after)
  assert.deepEqual(await unbalancedBookings(database.db), [])
})

const breakDown = (): never => {
  throw new Error('the process failed')
}
/** Does all its work, then fails before the commit. */
const breaking: PaymentProcess = {
  authorised: async (...args) => (await followPayment.authorised(...args)) && breakDown(),
  captured: async (...args) => (await followPayment.captured(...args)) && breakDown(),
  captureDeclined: async (...args) => (await followPayment.captureDeclined(...args)) && breakDown(),
  unsettled: followPayment.unsettled,
  refunded: async (...args) => (await followPayment.refunded(...args), breakDown()),
  repaid: () => Promise.resolve(),
  refundFailed: async (...args) => (await followPayment.refundFailed(...args), breakDown()),
}

const steps: [keyof PaymentProcess, ProviderPayment['status'][], ProviderPayment['status']][] = [
  ['authorised', [], 'authorised'],
  ['captured', ['authorised'], 'captured'],
  ['captureDeclined', ['authorised'], 'failed'],
]
for (const [step, first, status] of steps) {
  test(`V-54 a process that fails in the middle of "${step}" leaves payment, order, ledger and cart unchanged; the retry does it all`, async () => {
    const order = await placed()
    for (const one of first) await says(order.orderId, one)
    const before = await standing(order)
    connectPaymentProcess(breaking)
    await assert.rejects(says(order.orderId, status), /the process failed/)
    assert.deepEqual(await standing(order), before)
    connectPaymentProcess(followPayment)
    assert.equal(await says(order.orderId, status), 'applied')
    assert.notDeepEqual(await standing(order), before)
  })
}

test('V-54 money for an abandoned order is booked as unapplied and refunded', async () => {
  const order = await placed()
  await database.pool.query(`update orders.customer_order set state = 'cancelled' where id = $1`, [order.orderId])
  assert.equal(await says(order.orderId, 'captured'), 'applied')
  const { rows } = await database.pool.query(
    'select e.account from ledger.entry e join ledger.booking b on b.id = e.booking_id where b.customer_order_id = $1 order by e.position',
    [order.orderId],
  )
  assert.deepEqual(
    rows.map(({ account }) => account),
    ['provider:embedded', 'unapplied'],
  )
  assert.deepEqual((await database.events()).at(-1)?.type, 'payment.refund-requested')
})

test('V-103 a step on a payment that has moved since it was read is decided from the current row', async () => {
  const order = await placed()
  await says(order.orderId, 'authorised')
  const known = await readPaymentOfOrder(database.db, order.orderId)
  assert.equal(await says(order.orderId, 'captured'), 'applied')
  const after = await standing(order)
  // The response to our own call arrives second; the payment it read was still authorised.
  assert.equal(await says(order.orderId, 'captured', {}, known), 'ignored')
  assert.equal(await says(order.orderId, 'failed', {}, known), 'ignored')
  assert.deepEqual(await standing(order), after)
})
