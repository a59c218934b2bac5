import assert from 'node:assert/strict'
import { test } from 'node:test'
import { book, unbalancedBookings } from '#ledger'
import { testDatabase } from '#platform/testing'
import { addOffer } from '../checkout/testing.ts'
import { usePaymentProvider } from '../payments/settings.ts'
import { account, chargedBackShop, operator } from './test-chargebacks.ts'
import { followChargeback } from './follow-chargeback.ts'
import { giveAccount } from './give-account.ts'
import { giveRefund } from './give-refund.ts'
import { listRefunds } from './show-refund.ts'
import { readRefundsOf } from './store.ts'

/** Lost chargebacks that the marketplace bears, and what is refunded of their orders later. */

const database = await testDatabase()
const shop = await chargedBackShop(database)
await addOffer(database, { id: '7202', sellerId: 2, stock: 1000, price: 4000 })
const { stripe, work, paid, request, refund, stateOf, balances, refundedAt, chargebackOf, bear, failed } = shop
/** The marketplace bears what nobody bears yet. */
const borne = async (orderId: string) => bear(operator, (await chargebackOf(orderId))?.id ?? '', null)
/** An order whose whole price the bank has given back, at the marketplace's cost. */
async function lost() {
  const order = await paid()
  await order.closed('lost')
  assert.equal(await borne(order.orderId), true)
  return order
}

test('A25 what the marketplace bears of a lost chargeback is a refund of the part, which its buyer reads that the bank has made', async () => {
  const { buyer, orderId } = await lost()
  const seen = (await listRefunds(buyer.scope(), orderId))?.map(({ state, amount, isSetOff }) => [state, amount.amount, isSetOff])
  assert.deepEqual(seen, [['done', 6000, true]])
  assert.equal((await balances(orderId))['goodwill'], 6000)
  assert.equal(await borne(orderId), false, 'it is borne')
  const wish = { customerOrderId: orderId, sellerOrderId: `${orderId}-1`, offerId: null, amount: 1000, idempotencyKey: 'goodwill-again' }
  assert.deepEqual(await database.command(operator, (scope) => giveRefund(scope, wish)), { ok: false, reason: 'nothing-left' })
})

for (const [cause, key] of [
  ['return', 'return:'],
  ['cancellation', 'cancellation:'],
] as const)
  test(`A25 goods that come back by a ${cause} after the marketplace has borne it are paid back to the marketplace, and to nobody else`, async () => {
    const { orderId } = await lost()
    const units = [{ offerId: '7201', quantity: 1 }]
    const id = await request({ customerOrderId: orderId, cause, key: `${key}${orderId}`, units })
    assert.equal(await stateOf(id), 'done')
    assert.deepEqual([await shop.confirm(id), await shop.settle(id), await refundedAt(orderId)], [false, false, 0])
    assert.deepEqual(await balances(orderId), {}, 'the sale is reversed: nobody owes anybody anything')
  })

test('A25 a refund made before the chargeback that fails after the marketplace has borne the loss is set off, and no account is asked for', async () => {
  const { buyer, orderId, reference, closed } = await paid()
  const id = await refund(orderId, 'made', 1500)
  await closed('lost')
  assert.equal(await borne(orderId), true)
  const { goodwill, 'chargeback-losses': losses, chargebacks } = await balances(orderId)
  assert.deepEqual([goodwill, losses, chargebacks], [4500, 1500, undefined], 'the bank has given back more than was left')
  await failed(reference)
  assert.equal(await stateOf(id), 'done')
  let sent = 0
  usePaymentProvider({ ...stripe, transfer: ({ amount }) => Promise.resolve(void (sent += amount)) })
  assert.deepEqual(await buyer.does((scope) => giveAccount(scope, id, account)), { ok: false, reason: 'account-not-needed' })
  await work()
  usePaymentProvider(stripe)
  assert.equal(sent, 0)
  const later = await balances(orderId)
  assert.deepEqual(
    [later['chargeback-losses'], later['refunds-due'], later['provider:stripe'], later['goodwill']],
    [undefined, undefined, undefined, 4500],
  )
})

test('an account given before the marketplace bears the loss leads to no transfer of money that the bank has given back', async () => {
  const { buyer, orderId, reference, lost: reported } = await paid()
  const id = await refund(orderId, 'made', 1500)
  await failed(reference)
  let sent = 0
  usePaymentProvider({ ...stripe, transfer: ({ amount }) => Promise.resolve(void (sent += amount)) })
  assert.ok((await buyer.does((scope) => giveAccount(scope, id, account))).ok)
  // The transfer is still to be made.
  await shop.receive(reported())
  const chargeback = { chargebackId: (await chargebackOf(orderId))?.id ?? '', customerOrderId: orderId, state: 'lost' as const }
  await database.command({}, async (scope) => ({ ok: true, followed: await followChargeback(scope, chargeback) }))
  assert.equal(await borne(orderId), true)
  await work()
  usePaymentProvider(stripe)
  assert.deepEqual([sent, await stateOf(id)], [0, 'done'])
  const { goodwill, 'chargeback-losses': losses, 'refunds-due': due } = await balances(orderId)
  assert.deepEqual([goodwill, losses, due], [4500, undefined, undefined])
})

test('of an order with several sellers the marketplace bears a loss by what is left of each part', async () => {
  const { orderId, lostOf } = await paid(['7201', '7202'])
  const parts = async () =>
    (await readRefundsOf(database.db, orderId)).map(({ sellerOrderId, amount, bornBy }) => [
      sellerOrderId.slice(orderId.length),
      amount,
      bornBy,
    ])
  await lostOf(1001)
  assert.equal(await borne(orderId), true)
  const total =
    (await database.pool.query<{ total: number }>('select total from orders.customer_order where id = $1', [orderId])).rows[0]?.total ?? 0
  const first = Math.round((1001 * 6000) / total)
  assert.deepEqual((await parts()).toSorted(), [
    ['-1', first, 'marketplace'],
    ['-2', 1001 - first, 'marketplace'],
  ])
  assert.equal((await balances(orderId))['goodwill'], 1001)
})

test('while a refund waits for the operator because of a chargeback nobody bears it: the refund makes up for it', async () => {
  const { orderId, lostOf } = await paid()
  await lostOf(1000)
  const id = await refund(orderId, 'most', 4000)
  assert.equal(await stateOf(id), 'on-hold')
  assert.deepEqual([await borne(orderId), await bear(operator, (await chargebackOf(orderId))?.id ?? '', `${orderId}-1`)], [false, false])
  assert.equal(await shop.confirm(id), true)
  assert.equal((await balances(orderId))['bank'], -3000)
  assert.equal(await borne(orderId), false, 'nothing is left of it')
})

test('I1 I6 after all of this no buyer has got more than was paid; a transfer of money that the bank has given back would be seen', async () => {
  assert.deepEqual(await shop.broken(), [])
  assert.deepEqual(await unbalancedBookings(database.db), [])
  const { orderId, closed } = await paid()
  await refund(orderId, 'made', 1500)
  await closed('lost')
  await borne(orderId)
  assert.deepEqual(await shop.broken(), [], 'the bank may give back more than was left')
  // The refund comes back and is sent again, by transfer.
  const moves = { back: { account: 'provider:stripe', amount: 1500 }, transfer: { account: 'bank', amount: -1500 } } as const
  for (const [name, entry] of Object.entries(moves))
    await database.command({}, async ({ db }) => ({
      ok: await book(db, {
        key: `${name}:${orderId}:1`,
        kind: 'refund',
        customerOrderId: orderId,
        currency: 'GBP',
        entries: [entry, { account: 'unapplied', amount: -entry.amount }],
      }),
    }))
  const found = (await shop.broken()).map((what) => what.split(':')[0])
  assert.deepEqual(found, ['I1 a refund left by transfer, or was settled as made, though its buyer had all that was paid for the order'])
})
