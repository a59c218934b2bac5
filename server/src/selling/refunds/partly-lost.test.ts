import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unbalancedBookings } from '#ledger'
import { testDatabase } from '#platform/testing'
import { usePaymentProvider } from '../payments/settings.ts'
import { account, chargedBackShop, operator } from './test-charged-back.ts'
import { giveAccount } from './give-account.ts'
import { listOpenRefunds } from './give-refund.ts'
import { listRefunds } from './show-refund.ts'

/** Refunds of which lost chargebacks pay a part, and orders with several chargebacks. */

const database = await testDatabase()
const shop = await chargedBackShop(database)
const { stripe, work, paid, refund, stateOf, balances, refundedAt, failed, confirm } = shop

test('A25 a transfer of the rest that the bank returns comes back as what was sent, and no more is sent again', async () => {
  const { buyer, orderId, reference, lostOf } = await paid()
  const id = await refund(orderId, 'most', 4000)
  await failed(reference)
  assert.ok((await buyer.does((scope) => giveAccount(scope, id, account))).ok)
  await work()
  await lostOf(1000)
  assert.equal(await confirm(id), true)
  assert.equal((await balances(orderId))['bank'], -3000)
  assert.equal(await shop.returned(id), true)
  const back = await balances(orderId)
  assert.deepEqual([back['bank'], back['refunds-due']], [undefined, -3000])
  const open = (await listOpenRefunds(database.scope(operator))).find((each) => each.id === id)
  assert.deepEqual(
    (await listRefunds(buyer.scope(), orderId))?.map(({ amount, whole, byBank, byShop }) =>
      [amount, whole, byBank, byShop].map((money) => money?.amount),
    ),
    [[3000, 4000, 1000, 3000]],
    'the rest is shown',
  )
  assert.equal(open?.amount.amount, 3000)
  const { rows } = await database.pool.query<{ subject: string; text: string }>(
    'select subject, body_text as text from mail.mail where key like $1',
    [`refund:${id}:iban-needed:%`],
  )
  assert.deepEqual(
    rows.map(({ subject }) => /£\d+/.exec(subject)?.[0]).toSorted(),
    ['£30', '£40'],
    'the buyer is asked where the rest shall go',
  )
  const inPart = 'Your bank has already given you £10.00 of £40.00 back; the remaining £30.00 is still to come.'
  assert.deepEqual(
    rows.map(({ subject, text }) => [subject.includes('£30'), text.includes(inPart)]).toSorted(),
    [
      [false, false],
      [true, true],
    ],
    rows.map(({ text }) => text).join(),
  )
  assert.equal(await shop.returned(id), false, 'it is back')
  let sent = 0
  usePaymentProvider({ ...stripe, transfer: ({ amount }) => Promise.resolve(void (sent += amount)) })
  assert.ok((await buyer.does((scope) => giveAccount(scope, id, account))).ok)
  await work()
  usePaymentProvider(stripe)
  assert.equal(sent, 3000)
  const { bank, 'refunds-due': due } = await balances(orderId)
  assert.deepEqual([await stateOf(id), bank, due], ['done', -3000, undefined])
})

test('A25 a refund that was set off never left the bank, and cannot come back from it', async () => {
  const { buyer, orderId, reference, opened, closed } = await paid()
  const id = await refund(orderId, 'by-hand', 1500)
  await failed(reference)
  assert.ok((await buyer.does((scope) => giveAccount(scope, id, account))).ok)
  await work()
  assert.equal(await confirm(id), true)
  assert.equal(await shop.returned(id), true)
  assert.ok((await buyer.does((scope) => giveAccount(scope, id, account))).ok)
  await work()
  await opened()
  await closed('lost')
  assert.deepEqual([await stateOf(id), await shop.returned(id)], ['done', false])
  const { bank, chargebacks } = await balances(orderId)
  assert.deepEqual([bank, chargebacks], [undefined, 4500])
})

test('A25 a transfer that the bank has returned before it was set off is returned once', async () => {
  const { orderId, lostOf, opened, closed } = await paid()
  await lostOf(1000)
  const id = await refund(orderId, 'most', 4000)
  assert.equal(await confirm(id), true)
  await opened()
  assert.equal(await shop.returned(id), true)
  await closed('lost', 5000)
  assert.deepEqual([await stateOf(id), await shop.returned(id)], ['done', false])
  const { bank, chargebacks, 'refunds-due': due } = await balances(orderId)
  assert.deepEqual([bank, chargebacks, due], [undefined, 2000, undefined])
})

test('a transfer that the operator makes again, after the bank has returned it while it decided, is booked again', async () => {
  const { orderId, lostOf, opened, closed } = await paid()
  await lostOf(1000)
  const id = await refund(orderId, 'most', 4000)
  assert.equal(await confirm(id), true)
  assert.equal(await shop.returned(id), true, 'the operator had made it without an account from the buyer')
  await opened()
  assert.deepEqual([await stateOf(id), await confirm(id)], ['on-hold', false])
  await closed('lost', 500)
  const { chargebacks, 'refunds-due': due } = await balances(orderId)
  assert.deepEqual([chargebacks, due], [500, -3000])
  assert.equal(await confirm(id), true)
  const { bank, ...rest } = await balances(orderId)
  assert.deepEqual([bank, rest['chargebacks'], rest['refunds-due']], [-2500, undefined, undefined])
})

test('what a chargeback has paid of a refund that is not owed after all is a loss again, which nobody bears yet', async () => {
  const { orderId, lostOf, opened, closed } = await paid()
  await lostOf(1000)
  const id = await refund(orderId, 'most', 4000)
  assert.equal(await confirm(id), true)
  assert.equal(await shop.returned(id), true)
  await opened()
  assert.equal(await shop.drop(id), true)
  const { chargebacks, 'refunds-due': due, bank } = await balances(orderId)
  assert.deepEqual([chargebacks, due, bank], [1000, undefined, undefined])
  await closed('won')
})

test('the rest of a refund goes to the card once another chargeback is won, and is what is due again if the card refuses it', async () => {
  const rest = async () => {
    const order = await paid()
    await order.lostOf(1000)
    const id = await refund(order.orderId, 'most', 4000)
    assert.equal(await confirm(id), true)
    assert.equal(await shop.returned(id), true)
    await order.opened()
    await order.closed('won')
    assert.deepEqual(
      [await stateOf(id), await refundedAt(order.orderId), (await balances(order.orderId))['bank']],
      ['done', 3000, undefined],
    )
    return { ...order, id }
  }
  await rest()
  const { id, orderId, reference } = await rest()
  await failed(reference)
  assert.deepEqual([await stateOf(id), await refundedAt(orderId), (await balances(orderId))['refunds-due']], ['iban-needed', 0, -3000])
})

test('A25 of two chargebacks, one lost in part and one won, what was lost is not refunded as well', async () => {
  const several = await paid()
  await several.lostOf(1000)
  await several.opened()
  const ids = []
  for (const [key, amount] of Object.entries({ most: 2500, exact: 1000, small: 300 })) ids.push(await refund(several.orderId, key, amount))
  await several.closed('won')
  assert.deepEqual(await Promise.all(ids.map(stateOf)), ['done', 'done', 'done'])
  assert.equal(await refundedAt(several.orderId), 2800, 'the bank has paid one of them')
  assert.equal((await balances(several.orderId))['chargebacks'], undefined)

  const { orderId, lostOf, opened, closed } = await paid()
  await lostOf(1000)
  await opened()
  const id = await refund(orderId, 'most', 4000)
  await closed('won')
  assert.deepEqual([await stateOf(id), await refundedAt(orderId)], ['on-hold', 0])
  assert.equal(await confirm(id), true)
  assert.equal((await balances(orderId))['bank'], -3000, 'the operator pays the rest')
})

test('A25 a refund that fails between two chargebacks is set off against the one that was lost, and not made again because the other is won', async () => {
  const { orderId, reference, lostOf, opened, closed } = await paid()
  const id = await refund(orderId, 'made', 500)
  await lostOf(1000)
  await opened()
  await failed(reference)
  assert.equal(await stateOf(id), 'on-hold')
  await closed('won')
  assert.deepEqual([await stateOf(id), await refundedAt(orderId), (await balances(orderId))['chargebacks']], ['done', 0, 500])
})

test('I1 I6 after all of this no buyer has got more than was paid', async () => {
  assert.deepEqual(await shop.broken(), [])
  assert.deepEqual(await unbalancedBookings(database.db), [])
})
