import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { testSellerMember } from '@purlin/contract/testing.ts'
import { book, unbalancedBookings } from '#ledger'
import { testDatabase } from '#platform/testing'
import * as paymentJobs from '../payments/jobs.ts'
import { ProviderRefusal } from '../payments/provider.ts'
import { usePaymentProvider } from '../payments/settings.ts'
import { account, chargedBackShop, operator } from './test-charged-back.ts'
import { giveAccount } from './give-account.ts'
import { listRefunds } from './show-refund.ts'
import { readRefund } from './store.ts'

/** Payments at Stripe that the buyers' banks take back. */

const database = await testDatabase()
const shop = await chargedBackShop(database)
const { fake, stripe, work, receive, hear, paid, refund, stateOf, balances, refundedAt, chargebackOf, bear, failed, confirm } = shop
const mailsAbout = async (orderId: string) =>
  (
    await database.pool.query<{ subject: string }>(
      `select subject from mail.mail where template = 'chargeback' and subject like $1 order by id`,
      [`%${orderId}%`],
    )
  ).rows.map(({ subject }) => subject.split(': ')[1])

test('A25 while a bank decides about a payment its refunds wait; lost by the shop, that money is the refund and none leaves again', async () => {
  const { buyer, orderId, reference, opened, closed } = await paid()
  const noCard = await refund(orderId, 'no-card', 500)
  await hear(fake.failRefund('refund.failed', reference, 'expired_or_canceled_card'))
  assert.equal(await stateOf(noCard), 'iban-needed')
  assert.equal(await opened(), 'applied')
  assert.deepEqual([await stateOf(noCard), (await chargebackOf(orderId))?.state], ['on-hold', 'open'])
  const during = await refund(orderId, 'during', 1500)
  assert.equal(await stateOf(during), 'on-hold')

  assert.equal(await closed('lost'), 'applied')
  assert.deepEqual([await stateOf(noCard), await stateOf(during)], ['done', 'done'])
  const { chargebacks, 'refunds-due': due, 'provider:stripe': held } = await balances(orderId)
  assert.deepEqual([chargebacks, due, held], [6000 - 500 - 1500, undefined, undefined])
  // A return that is settled later: the buyer has its money, too.
  const later = await refund(orderId, 'later', 3000)
  assert.equal(await stateOf(later), 'done')
  assert.deepEqual(
    (await listRefunds(buyer.scope(), orderId))?.map(({ isSetOff }) => isSetOff),
    [true, true, true],
  )
  assert.equal(await refundedAt(orderId), 0)
  assert.equal((await balances(orderId))['chargebacks'], 1000)
  assert.deepEqual(await mailsAbout(orderId), ["the buyer's bank takes it back", 'the bank has decided for the buyer'])
  assert.deepEqual(await unbalancedBookings(database.db), [])
})

test('won by the shop, refunds that waited are made with a key of their own, and nothing is booked', async () => {
  const { orderId, opened, closed } = await paid()
  await opened()
  const id = await refund(orderId, 'waits', 1500)
  assert.equal(await stateOf(id), 'on-hold')
  const before = await balances(orderId)
  assert.equal(await closed('won'), 'applied')
  assert.deepEqual([await stateOf(id), await refundedAt(orderId)], ['done', 1500])
  const afterwards = await balances(orderId)
  assert.equal(afterwards['chargebacks'], undefined)
  assert.equal(afterwards['provider:stripe'], (before['provider:stripe'] ?? 0) - 1500)
  assert.deepEqual((await mailsAbout(orderId)).at(-1), 'the bank has decided for us')
})

test('an inquiry that closes without taking money is like a chargeback that was won', async () => {
  const { orderId, opened, closed } = await paid()
  await opened()
  await closed('warning_closed')
  const { state, unborne } = (await chargebackOf(orderId)) ?? {}
  assert.deepEqual([state, unborne?.amount], ['won', 0])
})

test('A70 messages about a chargeback that are repeated or late change nothing: a decision is final, and booked once', async () => {
  const { orderId, reference, opened, closed } = await paid()
  assert.deepEqual(
    [await closed('lost'), await opened(), await closed('lost'), await closed('won')],
    ['applied', 'known', 'known', 'known'],
  )
  assert.equal((await balances(orderId))['chargebacks'], 6000)
  assert.equal((await chargebackOf(orderId))?.state, 'lost')
  const foreign = fake.dispute('charge.dispute.created', reference, 'needs_response').replaceAll(reference, 'pi_foreign')
  assert.equal(await hear(foreign), 'foreign')
})

test('the operator decides who bears a loss: the seller gives back their part as by a refund, or the marketplace pays', async () => {
  const { orderId, opened, closed } = await paid()
  await opened()
  const { id = '' } = (await chargebackOf(orderId)) ?? {}
  assert.equal(await bear(operator, id, null), false, 'nothing is lost yet')
  await closed('lost')
  assert.equal((await chargebackOf(orderId))?.unborne.amount, 6000)
  assert.equal(await bear({ principal: testSellerMember({ sellerId: 1 }) }, id, null), false)
  assert.equal(await bear({ ...operator, market: 'de' }, id, null), false)
  assert.equal(await bear(operator, id, `${orderId}-2`), false, 'no part of this order')
  assert.equal(await bear(operator, id, `${orderId}-1`), true)
  await work()
  assert.deepEqual(await balances(orderId), {}, 'the sale is reversed: nobody owes anybody anything')
  assert.equal(await refundedAt(orderId), 0)
  assert.equal(await bear(operator, id, null), false, 'it is borne')

  const more = await paid()
  await refund(more.orderId, 'before', 1000)
  await more.closed('lost')
  const { id: moreId = '' } = (await chargebackOf(more.orderId)) ?? {}
  const bySeller = () => bear(operator, moreId, `${more.orderId}-1`)
  assert.deepEqual([await bySeller(), await bySeller()], [true, false], 'nothing is left of the part: the second time changes nothing')
  assert.equal((await chargebackOf(more.orderId))?.unborne.amount, 1000)
  assert.equal(await bear(operator, moreId, null), true)

  const other = await paid()
  await other.closed('lost')
  const owed = (await balances(other.orderId))['seller:1']
  assert.equal(await bear(operator, (await chargebackOf(other.orderId))?.id ?? '', null), true)
  const { goodwill, chargebacks, 'seller:1': seller } = await balances(other.orderId)
  assert.deepEqual([goodwill, chargebacks, seller], [6000, undefined, owed])
  assert.deepEqual(await unbalancedBookings(database.db), [])
})

test('a refund of more than a lost chargeback has left waits for the operator, who settles it from both', async () => {
  const { orderId, lostOf } = await paid()
  assert.equal(await lostOf(1000), 'applied')
  const id = await refund(orderId, 'most', 4000)
  assert.equal(await stateOf(id), 'on-hold')
  const { rowCount } = await database.pool.query(
    `select 1 from mail.mail where template = 'refund-failed' and body_text like '%' || $1 || '%'`,
    [orderId],
  )
  assert.equal(rowCount, 1, 'the operator is told')
  const before = await balances(orderId)
  assert.equal(await shop.settle(id), true)
  const { chargebacks, 'provider:stripe': held, 'refunds-due': due } = await balances(orderId)
  assert.deepEqual([chargebacks, held, due], [undefined, (before['provider:stripe'] ?? 0) - 3000, undefined])
})

const refundMails = async (orderId: string) =>
  (await database.pool.query(`select 1 from mail.mail where template = 'refund' and subject like $1`, [`%Where shall%${orderId}%`]))
    .rowCount

test('A25 a refund that fails after the bank has taken the payment back waits for its decision, and is set off once it is lost', async () => {
  const { buyer, orderId, reference, opened, closed } = await paid()
  const id = await refund(orderId, 'failed', 1500)
  await opened()
  assert.equal(await stateOf(id), 'done')
  await failed(reference)
  assert.equal(await stateOf(id), 'on-hold')
  assert.equal(await refundMails(orderId), 0, 'the buyer is asked for no account')
  assert.deepEqual(await buyer.does((scope) => giveAccount(scope, id, account)), { ok: false, reason: 'account-not-needed' })
  await closed('lost')
  assert.equal(await stateOf(id), 'done')
  const { chargebacks, bank, 'refunds-due': due } = await balances(orderId)
  assert.deepEqual([chargebacks, bank, due], [4500, undefined, undefined])

  const late = await paid()
  const lateId = await refund(late.orderId, 'failed', 1500)
  await late.closed('lost')
  await failed(late.reference)
  assert.equal(await stateOf(lateId), 'done')
  assert.equal((await balances(late.orderId))['chargebacks'], 4500)
  assert.equal(await refundMails(late.orderId), 0)
})

test('A25 of two refunds of the same amount the one that was set off never left, and cannot fail', async () => {
  const { orderId, reference, closed } = await paid()
  const made = await refund(orderId, 'made', 1500)
  await closed('lost')
  const setOff = await refund(orderId, 'set-off', 1500)
  await database.pool.query(`update refunds.refund set requested_at = requested_at - interval '1 hour' where id = $1`, [setOff])
  await failed(reference)
  assert.deepEqual([await stateOf(made), await stateOf(setOff)], ['done', 'done'])
  assert.equal((await balances(orderId))['chargebacks'], 3000)
  assert.deepEqual(await unbalancedBookings(database.db), [])
})

test('A25 a transfer that waits for the operator waits for the bank, too, and what the bank has given back is not confirmed', async () => {
  const transferring = async () => {
    const order = await paid()
    const id = await refund(order.orderId, 'by-hand', 1500)
    await failed(order.reference)
    assert.ok((await order.buyer.does((scope) => giveAccount(scope, id, account))).ok)
    await work()
    assert.equal(await stateOf(id), 'transferring')
    return { ...order, id }
  }
  const lost = await transferring()
  await lost.opened()
  assert.deepEqual([await stateOf(lost.id), await confirm(lost.id)], ['on-hold', false])
  await lost.closed('lost')
  assert.deepEqual([await stateOf(lost.id), await confirm(lost.id)], ['done', false])
  const { chargebacks, bank } = await balances(lost.orderId)
  assert.deepEqual([chargebacks, bank], [4500, undefined])

  // Reported, and not yet followed.
  const early = await transferring()
  await receive(fake.dispute('charge.dispute.created', early.reference, 'needs_response'))
  assert.equal(await confirm(early.id), false)

  const won = await transferring()
  await won.opened()
  await won.closed('won')
  const { state, ibanEnd } = (await readRefund(database.db, won.id)) ?? {}
  assert.deepEqual([state, ibanEnd], ['done', null], 'the card takes it this time')
  assert.equal((await balances(won.orderId))['bank'], undefined)
})

test('A25 an account that is given while a chargeback is not followed yet leads to no transfer', async () => {
  const { buyer, orderId, reference } = await paid()
  const id = await refund(orderId, 'account', 1500)
  await failed(reference)
  assert.equal(await stateOf(id), 'iban-needed')
  await receive(fake.dispute('charge.dispute.created', reference, 'needs_response'))
  const given = await buyer.does((scope) => giveAccount(scope, id, account))
  assert.equal(given.ok && given.refund.state, 'on-hold')
  await work()
  assert.equal(await stateOf(id), 'on-hold')
})

test('of a refund larger than what a lost chargeback has left, the operator transfers the rest', async () => {
  const { buyer, orderId, lostOf } = await paid()
  await lostOf(1000)
  const id = await refund(orderId, 'most', 4000)
  assert.equal(await confirm(id), true)
  const { chargebacks, bank, 'refunds-due': due } = await balances(orderId)
  assert.deepEqual([chargebacks, bank, due], [undefined, -3000, undefined])
  assert.equal((await listRefunds(buyer.scope(), orderId))?.[0]?.isSetOff, false, 'most of it comes from the shop')
})

for (const end of ['lost', 'won'] as const)
  test(`A25 while a bank decides no refund is settled at the provider; ${end}, it counts once`, async () => {
    const { orderId, opened, closed } = await paid()
    await opened()
    const id = await refund(orderId, 'during', 1500)
    assert.deepEqual([await shop.settle(id), await stateOf(id)], [false, 'on-hold'])
    await closed(end)
    assert.equal(await stateOf(id), 'done')
    const { 'provider:stripe': held, chargebacks, 'refunds-due': due } = await balances(orderId)
    assert.deepEqual([held, chargebacks, due], end === 'lost' ? [undefined, 4500, undefined] : [4500, undefined, undefined])
    assert.equal(await refundedAt(orderId), end === 'lost' ? 0 : 1500)
  })

test('A25 a chargeback that is reported before the provider transfers a refund stops the transfer', async () => {
  const { buyer, orderId, reference } = await paid()
  const id = await refund(orderId, 'transfer', 1500)
  await failed(reference)
  let transfers = 0
  usePaymentProvider({ ...stripe, transfer: () => Promise.resolve(void transfers++) })
  assert.ok((await buyer.does((scope) => giveAccount(scope, id, account))).ok)
  await receive(fake.dispute('charge.dispute.created', reference, 'needs_response'))
  await work()
  usePaymentProvider(stripe)
  assert.deepEqual([await stateOf(id), transfers], ['on-hold', 0])
})

test('A25 while a bank decides the buyer is asked for no account, neither for a card that is refused nor for a transfer that came back', async () => {
  const { buyer, orderId, reference, opened } = await paid()
  const returned = await refund(orderId, 'returned', 1500)
  await failed(reference)
  assert.ok((await buyer.does((scope) => giveAccount(scope, returned, account))).ok)
  await work()
  assert.equal(await confirm(returned), true)
  await opened()
  assert.ok(await shop.returned(returned))
  usePaymentProvider({ ...stripe, refund: () => Promise.reject(new ProviderRefusal('expired_or_canceled_card', 'Expired')) })
  const refused = await refund(orderId, 'refused', 500)
  usePaymentProvider(stripe)
  assert.deepEqual([await stateOf(returned), await stateOf(refused)], ['on-hold', 'on-hold'])
  assert.equal(await refundMails(orderId), 1, 'before the dispute')
})

test('F9 the end of a chargeback whose message was missed is read from the provider within a day', async () => {
  const [lost, open] = [await paid(), await paid()]
  await lost.opened()
  await open.opened()
  fake.dispute('charge.dispute.closed', lost.reference, 'lost')
  await work()
  const { run } = paymentJobs.schedules.find(({ name }) => name === 'payments.check-chargebacks') ?? assert.fail('nothing is checked')
  await database.command({}, (scope) => run(scope))
  await work()
  assert.deepEqual([(await chargebackOf(lost.orderId))?.state, (await chargebackOf(open.orderId))?.state], ['lost', 'open'])
  assert.equal((await balances(lost.orderId))['chargebacks'], 6000)
})

test('a card that refuses a refund again once a chargeback is won: its buyer is asked for an account again', async () => {
  const { orderId, opened, closed } = await paid()
  usePaymentProvider({ ...stripe, refund: () => Promise.reject(new ProviderRefusal('expired_or_canceled_card', 'Expired')) })
  const id = await refund(orderId, 'refused', 1500)
  await opened()
  assert.deepEqual([await stateOf(id), await refundMails(orderId)], ['on-hold', 1])
  await closed('won')
  usePaymentProvider(stripe)
  assert.deepEqual([await stateOf(id), await refundMails(orderId)], ['iban-needed', 2])
})

test('I1 I6 after all of this no buyer has got more than was paid, and money that left twice would be seen', async () => {
  assert.deepEqual(await shop.broken(), [])
  const { orderId, closed } = await paid()
  await closed('lost')
  const entries = [
    { account: 'bank' as const, amount: -1 },
    { account: 'chargebacks' as const, amount: 1 },
  ]
  await database.command({}, async ({ db }) => ({
    ok: await book(db, { key: `twice:${orderId}`, kind: 'refund', customerOrderId: orderId, currency: 'GBP', entries }),
  }))
  assert.deepEqual(
    (await shop.broken()).map((what) => what.split(':')[0]),
    ['I1 more of an order left as refunds and chargebacks than was paid for it and is borne as a loss beyond its price'],
  )
})

test('the bank account of a refund that turns out not to be owed is deleted, by the backfill where an earlier release kept it', async () => {
  const { buyer, orderId, reference, opened } = await paid()
  const id = await refund(orderId, 'by-hand', 1500)
  await failed(reference)
  assert.ok((await buyer.does((scope) => giveAccount(scope, id, account))).ok)
  await work()
  await opened()
  assert.equal(await stateOf(id), 'on-hold')
  const kept = async () => (await database.pool.query('select account from refunds.refund where id = $1', [id])).rows[0]?.account as unknown
  const sealed = await kept()
  assert.ok(sealed)
  assert.equal(await shop.drop(id), true)
  assert.deepEqual([await stateOf(id), await kept()], ['not-owed', null])
  await database.pool.query('update refunds.refund set account = $2 where id = $1', [id, sealed])
  const backfill = new URL('202611301446-accounts-not-owed.backfill.sql', import.meta.url)
  await database.pool.query(await readFile(backfill, 'utf8'), [null, 1000])
  assert.equal(await kept(), null)
})
