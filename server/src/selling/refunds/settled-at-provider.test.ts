import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { unbalancedBookings } from '#ledger'
import { moveLines, type LineMove } from '#orders'
import { testDatabase } from '#platform/testing'
import * as paymentJobs from '../payments/jobs.ts'
import { ProviderRefusal } from '../payments/provider.ts'
import { usePaymentProvider } from '../payments/settings.ts'
import { giveAccount } from './give-account.ts'
import { account, chargedBackShop } from './test-charged-back.ts'

/** Refunds that the operator makes in the provider's dashboard: the provider tells of them only when it is asked. */

const database = await testDatabase()
const shop = await chargedBackShop(database)
const { fake, stripe, work, paid, refund, balances, stateOf, refundedAt } = shop

/** Refunds that the provider refuses when the shop asks for them. */
async function held(orderId: string, key: string, amount: number, code = 'balance_insufficient'): Promise<string> {
  usePaymentProvider({ ...stripe, refund: () => Promise.reject(new ProviderRefusal(code, 'Refused')) })
  const id = await refund(orderId, key, amount)
  usePaymentProvider(stripe)
  return id
}
async function makeAtProvider(reference: string, amount: number): Promise<void> {
  const headers = {
    authorization: 'Bearer sk_test_fake',
    'idempotency-key': `dashboard-${reference}-${amount}`,
    'content-type': 'application/x-www-form-urlencoded',
  }
  const body = new URLSearchParams({ payment_intent: reference, amount: String(amount) })
  const made = await fetch(`${fake.url}/v1/refunds`, { method: 'POST', headers, body })
  assert.equal(made.status, 200)
}
/** The provider's list is compared with the shop's payments, as every hour. */
async function compare(): Promise<void> {
  const { run } = paymentJobs.schedules.find(({ name }) => name === 'payments.compare-lists') ?? assert.fail('none')
  await database.command({}, (scope) => run(scope))
  await work()
  await work()
}
const orderState = async (id: string) =>
  (await database.pool.query<{ state: string }>('select state from orders.customer_order where id = $1', [id])).rows[0]?.state
async function assertSound(orderId: string, left: number, due = 0): Promise<void> {
  const { 'provider:stripe': kept = 0, 'refunds-due': owed = 0, unapplied = 0 } = await balances(orderId)
  assert.deepEqual({ kept, owed, unapplied }, { kept: left, owed: 0 - due, unapplied: 0 })
  assert.deepEqual([await shop.broken(), await unbalancedBookings(database.db)], [[], []])
}

for (const [what, amount, state] of [
  ['whole', 6000, 'refunded'],
  ['part', 1500, 'paid'],
] as const)
  for (const when of ['before it is reported', 'after it was reported', 'before it is made'] as const)
    test(`I1 the ${what} refund that the operator makes at the provider is booked once if they confirm it ${when}`, async () => {
      const { orderId, reference } = await paid()
      const id = await held(orderId, 'held', amount)
      assert.equal(await stateOf(id), 'on-hold')
      if (when !== 'before it is made') await makeAtProvider(reference, amount)
      if (when === 'after it was reported') await compare()
      assert.equal(await shop.settle(id), true)
      if (when === 'before it is made') {
        await work()
        await makeAtProvider(reference, amount)
      }
      await compare()
      assert.deepEqual([await stateOf(id), await refundedAt(orderId), await orderState(orderId)], ['done', amount, state])
      await assertSound(orderId, 6000 - amount)
    })

test('the provider is asked as soon as the operator has confirmed a refund made there, as its list does not go back to old payments', async () => {
  const { orderId, reference } = await paid()
  const id = await held(orderId, 'held', 1500)
  await makeAtProvider(reference, 1500)
  assert.equal(await shop.settle(id), true)
  await work()
  assert.equal(await refundedAt(orderId), 1500)
})

test('I1 a refund that waits for an account is not paid by one that was made at the provider for another', async () => {
  const { buyer, orderId, reference } = await paid()
  const waiting = await held(orderId, 'waiting', 500, 'declined')
  const id = await held(orderId, 'held', 1500)
  assert.deepEqual([await stateOf(waiting), await shop.settle(id)], ['iban-needed', true])
  await makeAtProvider(reference, 1500)
  await compare()
  await assertSound(orderId, 4500, 500)
  assert.ok((await buyer.does((scope) => giveAccount(scope, waiting, account))).ok)
  await work()
  assert.equal(await shop.confirm(waiting), true)
  await assertSound(orderId, 4500)
})

test('I1 a refund to the card is booked beside one that was settled at the provider and is not reported', async () => {
  const { orderId, reference } = await paid()
  const id = await held(orderId, 'held', 1500)
  assert.equal(await shop.settle(id), true)
  await work()
  await refund(orderId, 'card', 500)
  assert.equal(await refundedAt(orderId), 500)
  await assertSound(orderId, 4000)
  await makeAtProvider(reference, 1500)
  await compare()
  assert.equal(await refundedAt(orderId), 2000)
  await assertSound(orderId, 4000)
})

test('I1 a refund that was made at the provider and fails later is due again, and booked once', async () => {
  const { orderId, reference } = await paid()
  const id = await held(orderId, 'held', 1500)
  assert.equal(await shop.settle(id), true)
  await makeAtProvider(reference, 1500)
  await compare()
  await shop.failed(reference)
  assert.deepEqual([await stateOf(id), await refundedAt(orderId)], ['iban-needed', 0])
  await assertSound(orderId, 6000, 1500)
})

const accept: LineMove = { offerId: '7201', quantity: 1, from: 'pending', to: 'accepted' }
const accepts = (orderId: string) =>
  database.command({}, (scope) => moveLines(scope, { sellerOrderId: `${orderId}-1`, actor: 'seller', reason: 'test', moves: [accept] }))

test('I6 an order whose whole refund fails after it was made is paid again since it was paid, and refunded once more if the money leaves', async () => {
  const { orderId, reference } = await paid()
  const paidAt = async () =>
    (await database.pool.query('select paid_at from orders.customer_order where id = $1', [orderId])).rows[0]?.paid_at
  const before: unknown = await paidAt()
  const id = await refund(orderId, 'whole', 6000)
  assert.deepEqual([await stateOf(id), await orderState(orderId)], ['done', 'refunded'])
  assert.equal((await accepts(orderId)).ok, false)
  await shop.hear(fake.failRefund('refund.failed', reference, 'merchant_request'))
  assert.deepEqual([await stateOf(id), await orderState(orderId), await paidAt()], ['on-hold', 'paid', before])
  assert.equal(await shop.settle(id), true)
  await makeAtProvider(reference, 6000)
  await compare()
  assert.equal(await orderState(orderId), 'refunded')
})

test('an order whose only refund has failed and is not owed goes on: its seller can send it', async () => {
  const { orderId, reference } = await paid()
  const id = await shop.request({
    customerOrderId: orderId,
    cause: 'goodwill',
    key: `goodwill:${orderId}`,
    extra: { offerId: null, amount: 6000 },
  })
  await shop.hear(fake.failRefund('refund.failed', reference, 'merchant_request'))
  assert.deepEqual([await shop.drop(id), await orderState(orderId)], [true, 'paid'])
  assert.equal((await accepts(orderId)).ok, true)
  await assertSound(orderId, 6000)
})

/** The refund of an order leaves by bank transfer, as the card did not take it. */
async function transfer({ buyer }: Awaited<ReturnType<typeof paid>>, id: string): Promise<void> {
  assert.equal(await stateOf(id), 'iban-needed')
  assert.ok((await buyer.does((scope) => giveAccount(scope, id, account))).ok)
  await work()
  assert.equal(await shop.confirm(id), true)
}

test('an order whose whole refund leaves by bank transfer, since the card returned it, is refunded and not sent as well', async () => {
  const order = await paid()
  const id = await refund(order.orderId, 'whole', 6000)
  await shop.failed(order.reference)
  assert.equal(await orderState(order.orderId), 'paid')
  await transfer(order, id)
  assert.deepEqual([await orderState(order.orderId), (await accepts(order.orderId)).ok], ['refunded', false])
  await assertSound(order.orderId, 6000)
})

test('an order whose money leaves in part by bank transfer and in part to the card is refunded by the last of the two', async () => {
  for (const last of ['card', 'transfer'] as const) {
    const order = await paid()
    const id = await held(order.orderId, 'first', 1500, 'declined')
    if (last === 'card') await transfer(order, id)
    await refund(order.orderId, 'rest', 4500)
    if (last === 'transfer') {
      assert.equal(await orderState(order.orderId), 'paid')
      await transfer(order, id)
    }
    assert.equal(await orderState(order.orderId), 'refunded', last)
  }
})

test('an order that was refunded by bank transfer is paid again if the bank returns the money', async () => {
  const order = await paid()
  const id = await held(order.orderId, 'whole', 6000, 'declined')
  await transfer(order, id)
  assert.equal(await orderState(order.orderId), 'refunded')
  assert.equal(await shop.returned(id), true)
  assert.deepEqual([await stateOf(id), await orderState(order.orderId)], ['iban-needed', 'paid'])
  await transfer(order, id)
  assert.equal(await orderState(order.orderId), 'refunded')
})

test('an order is refunded whose whole refund, which the card returned, a lost chargeback has paid', async () => {
  const { orderId, reference, opened, closed } = await paid()
  await refund(orderId, 'whole', 6000)
  await shop.failed(reference)
  await opened()
  assert.equal(await orderState(orderId), 'paid')
  await closed('lost')
  assert.deepEqual([await orderState(orderId), (await accepts(orderId)).ok], ['refunded', false])
})

test('an order that an earlier release left refunded though its refund had failed is paid again by the backfill, and no other', async () => {
  const goodwill = (orderId: string) =>
    shop.request({ customerOrderId: orderId, cause: 'goodwill', key: `goodwill:${orderId}`, extra: { offerId: null, amount: 6000 } })
  const [failed, dropped, refunded, transferred, again] = [await paid(), await paid(), await paid(), await paid(), await paid()]
  for (const { orderId } of [failed, refunded]) await refund(orderId, 'whole', 6000)
  await shop.failed(failed.reference)
  for (const { orderId, reference } of [dropped, again]) {
    const id = await goodwill(orderId)
    await shop.hear(fake.failRefund('refund.failed', reference, 'merchant_request'))
    assert.equal(await shop.drop(id), true)
  }
  for (const order of [transferred, again]) {
    const id = await refund(order.orderId, 'whole', 6000)
    await shop.failed(order.reference)
    await transfer(order, id)
  }
  const ids = [failed, dropped, refunded, transferred, again].map(({ orderId }) => orderId)
  await database.pool.query(`update orders.customer_order set state = 'refunded' where id = any($1)`, [ids])
  const backfill = new URL('202611301447-failed-refunds.backfill.sql', import.meta.url)
  await database.pool.query(await readFile(backfill, 'utf8'), [null, 1000])
  assert.deepEqual(await Promise.all(ids.map(orderState)), ['paid', 'paid', 'refunded', 'refunded', 'refunded'])
})

// The last one: the invariants find such money.
test('money refunded at the provider that nobody has requested belongs to no order, also after one was settled there', async () => {
  const { orderId, reference } = await paid()
  const id = await held(orderId, 'held', 1500)
  assert.equal(await shop.settle(id), true)
  await makeAtProvider(reference, 1500)
  await compare()
  await makeAtProvider(reference, 700)
  await compare()
  assert.equal((await balances(orderId))['unapplied'], 700)
})
