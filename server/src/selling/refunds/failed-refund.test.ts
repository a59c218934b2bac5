import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testOperator } from '@purlin/contract/testing.ts'
import { unbalancedBookings } from '#ledger'
import { logOf, type Scope } from '#platform'
import { testDatabase } from '#platform/testing'
import { checkInvariants } from '../../../../e2e/invariants.ts'
import { startStripeFake } from '../../../../services/src/stripe-fake/index.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { addCustomer } from '../../people/accounts/testing.ts'
import * as checkoutJobs from '../checkout/jobs.ts'
import { addOffer, draftOrder, fillShop, must, newBuyer, place, type Buyer } from '../checkout/testing.ts'
import * as paymentJobs from '../payments/jobs.ts'
import { receiveWebhook } from '../payments/receive-webhook.ts'
import { usePaymentProvider } from '../payments/settings.ts'
import { readPaymentOfOrder } from '../payments/store.ts'
import { stripeProvider } from '../payments/stripe-provider.ts'
import { settleAtProvider } from './correct-refund.ts'
import { giveAccount } from './give-account.ts'
import { confirmTransfer } from './give-refund.ts'
import { handlers } from './jobs.ts'
import { requestRefund } from './request-refund.ts'
import { listRefunds } from './show-refund.ts'
import { readRefundsOf } from './store.ts'

/** Refunds that Stripe makes and a bank returns days later. */

const database = await testDatabase()
await fillShop(database)
await addOffer(database, { id: '7101', stock: 1000, price: 1200 })
const webhookSecret = 'whsec_of_the_tests'
const fake = await startStripeFake('sk_test_fake')
after(() => fake.close())
const settings = { secretKey: 'sk_test_fake', webhookSecret, publishableKey: 'pk_test_fake' }
const stripe = stripeProvider({ ...settings, frameUrl: 'https://cards.example/pay', apiUrl: fake.url, timeoutMs: 1000 })
usePaymentProvider(stripe)
const work = () => runWork(database, [...paymentJobs.handlers, ...handlers], [...checkoutJobs.jobs, ...paymentJobs.jobs])
const hear = (body: string) =>
  database.command({}, (scope) =>
    receiveWebhook({ ...scope, log: logOf({ test: true }) }, stripe, body, { 'stripe-signature': fake.sign(body, webhookSecret) }),
  )

/** A paid order, of which something was refunded to the card, once or twice. */
async function refunded(keys: readonly string[] = ['first', 'second']) {
  const { id: customerId } = await addCustomer(database.db)
  const email = `${customerId}@example.com`
  const buyer = newBuyer(database, { principal: { kind: 'customer', id: customerId, email, name: 'Ann', market: 'gb' } })
  const orderId = await draftOrder(buyer, [{ offerId: '7101', quantity: 3 }])
  must(await place(buyer, orderId))
  await work()
  const reference = (await readPaymentOfOrder(database.db, orderId))?.providerReference ?? ''
  fake.confirm(reference, 'approve')
  await hear(fake.event('payment_intent.amount_capturable_updated', reference))
  await work()
  for (const key of keys) await refund(orderId, key)
  return { buyer, email, orderId, reference }
}
async function refund(orderId: string, key: string): Promise<void> {
  const wish = { customerOrderId: orderId, sellerOrderId: `${orderId}-1`, cause: 'dispute' as const, key: `${orderId}:${key}` }
  await database.command({}, async (scope) => ({
    ok: true,
    id: await requestRefund(scope, { ...wish, extra: { offerId: null, amount: 500 } }),
  }))
  await work()
}
const states = async (orderId: string) => (await readRefundsOf(database.db, orderId)).map(({ state }) => state)
const money = async (orderId: string) => {
  const payment = await readPaymentOfOrder(database.db, orderId)
  const { rows } = await database.pool.query<{ account: string; sum: number }>(
    `select e.account, sum(e.amount)::int as sum from ledger.entry e join ledger.booking b on b.id = e.booking_id
      where b.customer_order_id = $1 and e.account in ('provider:stripe', 'refunds-due') group by 1`,
    [orderId],
  )
  const of = (account: string) => rows.find((row) => row.account === account)?.sum ?? 0
  return {
    refunded: payment?.refunded,
    state: payment?.state,
    held: (payment?.captured ?? 0) - of('provider:stripe'),
    due: 0 - of('refunds-due'),
  }
}
/** Breaches of I6. */
const brokenHistories = async () => (await checkInvariants(database.pool, { settled: false })).filter(({ id }) => id === 'I6')
const mails = async (to: string, template: string) =>
  (await database.pool.query('select 1 from mail.mail where recipient = $1 and template = $2', [to, template])).rowCount
const operator = { principal: testOperator({ roles: [{ role: 'support', market: null }] }) }
const asOperator = (act: (scope: Scope) => Promise<boolean>) =>
  database.command(operator, async (scope) => ({ ok: await act(scope) })).then(({ ok }) => ok)

test('a refund that the bank returns days later is due again: the buyer names an account, and everything is paid back once', async () => {
  const { buyer, email, orderId, reference } = await refunded()
  assert.deepEqual(await money(orderId), { refunded: 1000, state: 'part-refunded', held: 1000, due: 0 })
  const told = await mails(email, 'refund')
  const failed = fake.failRefund('refund.failed', reference, 'expired_or_canceled_card')
  assert.equal(await hear(failed), 'applied')
  await work()
  assert.deepEqual((await states(orderId)).toSorted(), ['done', 'iban-needed'])
  assert.deepEqual(await money(orderId), { refunded: 500, state: 'part-refunded', held: 500, due: 500 })
  assert.equal(await mails(email, 'refund'), (told ?? 0) + 1)
  // Stripe says it up to three times.
  for (const type of ['charge.refund.updated', 'refund.updated'])
    assert.equal(await hear(fake.failRefund(type, reference, 'expired_or_canceled_card')), 'known')
  await work()
  assert.deepEqual(await money(orderId), { refunded: 500, state: 'part-refunded', held: 500, due: 500 })

  // Another refund leads to a total that was booked before.
  await refund(orderId, 'third')
  assert.deepEqual(await money(orderId), { refunded: 1000, state: 'part-refunded', held: 1000, due: 500 })

  const open = (await readRefundsOf(database.db, orderId)).find(({ state }) => state === 'iban-needed')
  const account = { iban: 'DE89370400440532013000', holder: 'Ann Lee' }
  assert.ok((await buyer.does((scope) => giveAccount(scope, open?.id ?? '', account))).ok)
  await work()
  assert.equal(await asOperator((scope) => confirmTransfer(scope, open?.id ?? '')), true)
  assert.equal((await money(orderId)).due, 0)
  assert.deepEqual(await unbalancedBookings(database.db), [])
})

test('I6 a payment whose only refund fails has all its money again, by a step of its history', async () => {
  const { orderId, reference } = await refunded(['only'])
  await hear(fake.failRefund('refund.failed', reference, 'expired_or_canceled_card'))
  await work()
  assert.deepEqual(await money(orderId), { refunded: 0, state: 'captured', held: 0, due: 500 })
  assert.deepEqual(await brokenHistories(), [], 'every state of a payment has the step that led to it')
})

test('a refund that fails for a reason no other account mends goes to the operator, who is told', async () => {
  const { email, orderId, reference } = await refunded()
  const told = await mails(email, 'refund')
  await hear(fake.failRefund('charge.refund.updated', reference, 'charge_for_pending_refund_disputed'))
  await work()
  assert.deepEqual((await states(orderId)).toSorted(), ['done', 'on-hold'])
  assert.equal((await money(orderId)).due, 500)
  assert.equal(await mails(email, 'refund'), told)
  const { rows } = await database.pool.query<{ text: string }>(`select body_text as text from mail.mail where template = 'refund-failed'`)
  assert.equal(rows.length, 1)
  assert.match(rows[0]?.text ?? '', /charge_for_pending_refund_disputed/)
})

const done = async (to: string) =>
  (
    await database.db.rows<{ text: string }>(
      {
        name: 'test.done-mails',
        text: `select body_text as text from mail.mail where recipient = $1 and template = 'refund' and key like '%:done:%' order by id`,
      },
      [to],
    )
  ).map(({ text }) => text)
const shown = async (buyer: Buyer, orderId: string) =>
  (await listRefunds(buyer.scope(), orderId))?.map(({ isSetOff, byBank, byShop, isByHand }) => [
    isSetOff,
    byBank?.formatted ?? null,
    byShop.formatted,
    isByHand,
  ])

test('a buyer gets a mail about the transfer that the operator makes, to the account they gave', async () => {
  const { buyer, email, orderId, reference } = await refunded(['only'])
  await hear(fake.failRefund('refund.failed', reference, 'expired_or_canceled_card'))
  await work()
  const [open] = await readRefundsOf(database.db, orderId)
  const account = { iban: 'DE89370400440532013000', holder: 'Ann Lee' }
  assert.ok((await buyer.does((scope) => giveAccount(scope, open?.id ?? '', account))).ok)
  await work()
  assert.equal(await asOperator((scope) => confirmTransfer(scope, open?.id ?? '')), true)
  const [toCard, transferred, ...more] = await done(email)
  assert.equal(more.length, 0)
  assert.match(toCard ?? '', /goes back the way you paid/)
  assert.match(transferred ?? '', /to your account ending in 3000/)
})

test('a buyer whose card had taken a refund first gets a mail about its transfer, too: to an account that the shop does not know', async () => {
  const { buyer, email, orderId, reference } = await refunded(['only'])
  await hear(fake.failRefund('charge.refund.updated', reference, 'merchant_request'))
  await work()
  const [held] = await readRefundsOf(database.db, orderId)
  assert.equal(held?.state, 'on-hold')
  assert.equal(await asOperator((scope) => confirmTransfer(scope, held?.id ?? '')), true)
  const transferred = (await done(email)).at(-1) ?? ''
  assert.match(transferred, /We transfer the money to your bank account/)
  assert.doesNotMatch(transferred, /the way you paid|Your bank/)
  assert.deepEqual(await shown(buyer, orderId), [[false, null, '£5.00', true]])
})

for (const [what, settle, isByHand, way] of [
  ['transfers the rest', confirmTransfer, true, /We transfer the money/],
  ['settles the rest at the provider', settleAtProvider, false, null],
] as const)
  test(`of a refund of which a chargeback has paid a part, the operator ${what}: the buyer reads both amounts`, async () => {
    const { buyer, email, orderId, reference } = await refunded([])
    await hear(fake.dispute('charge.dispute.closed', reference, 'lost').replace(/"amount":\d+/, '"amount":200'))
    await work()
    await refund(orderId, 'split')
    const [held] = await readRefundsOf(database.db, orderId)
    assert.equal(held?.state, 'on-hold')
    assert.deepEqual(await shown(buyer, orderId), [[false, null, '£5.00', false]])
    assert.equal(await asOperator((scope) => settle(scope, held?.id ?? '')), true)
    assert.deepEqual(await shown(buyer, orderId), [[false, '£2.00', '£3.00', isByHand]])
    const [mail] = await done(email)
    if (way === null) return assert.equal(mail, undefined)
    assert.match(mail ?? '', way)
    assert.match(mail ?? '', /Your bank has already given you £2\.00 of it back; we have paid the remaining £3\.00\./)
  })

test('A70 a message about a refund that is as it was, or of a payment that is not ours, changes nothing', async () => {
  const { orderId, reference } = await refunded()
  const body = fake.failRefund('refund.failed', reference, 'unknown').replace(reference, 'pi_foreign')
  assert.equal(await hear(body), 'foreign')
  const fine = JSON.stringify({
    id: 'evt_fine',
    object: 'event',
    type: 'refund.updated',
    data: { object: { id: 're_fine', object: 'refund', status: 'succeeded', payment_intent: reference, amount: 500 } },
  })
  assert.equal(await hear(fine), 'unheard')
  await work()
  assert.deepEqual(await states(orderId), ['done', 'done'])
})
