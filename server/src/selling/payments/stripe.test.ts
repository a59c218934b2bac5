import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startStripeFake, type StripeFake } from '../../../../services/src/stripe-fake/index.ts'
import { logOf } from '#platform'
import { readOrder } from '#orders'
import { testDatabase } from '#platform/testing'
import * as checkoutJobs from '../checkout/jobs.ts'
import { addOffer, draftOrder, fillShop, must, newBuyer, place } from '../checkout/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { handlers, jobs, schedules } from './jobs.ts'
import type { PaymentProvider } from './provider.ts'
import { receiveWebhook } from './receive-webhook.ts'
import { usePaymentProvider } from './settings.ts'
import { readPaymentOfOrder } from './store.ts'
import { stripeProvider } from './stripe-provider.ts'

const webhookSecret = 'whsec_of_the_tests'
const database = await testDatabase()
let fake: StripeFake
let stripe: PaymentProvider

before(async () => {
  await fillShop(database)
  await addOffer(database, { id: '6001', stock: 1000 })
  fake = await startStripeFake('sk_test_fake')
  stripe = stripeProvider({
    secretKey: 'sk_test_fake',
    webhookSecret,
    publishableKey: 'pk_test_fake',
    frameUrl: 'https://cards.example/pay',
    apiUrl: fake.url,
    timeoutMs: 1000,
  })
  usePaymentProvider(stripe)
})
after(() => fake.close())

const work = () => runWork(database, handlers, [...checkoutJobs.jobs, ...jobs])
const hear = (body: string, secret = webhookSecret, seconds?: number) =>
  database.command({}, (scope) =>
    receiveWebhook({ ...scope, log: logOf({ test: true }) }, stripe, body, { 'stripe-signature': fake.sign(body, secret, seconds) }),
  )

async function placed() {
  const buyer = newBuyer(database)
  const id = await draftOrder(buyer, [{ offerId: '6001', quantity: 1 }])
  must(await place(buyer, id))
  await work()
  const payment = await readPaymentOfOrder(database.db, id)
  assert.ok(payment?.providerReference)
  return { id, reference: payment.providerReference, payment }
}
const stateOf = async (id: string) => (await readOrder(database.db, id))?.state

test('Stripe through its own SDK: intent, authorisation, manual capture, paid', async () => {
  const { id, reference, payment } = await placed()
  assert.match(payment.frameUrl ?? '', /^https:\/\/cards\.example\/pay#secret=pi_.*&key=pk_test_fake$/)
  fake.confirm(reference, 'approve')
  assert.equal(await hear(fake.event('payment_intent.amount_capturable_updated', reference)), 'applied')
  assert.equal(await stateOf(id), 'authorised')
  await work()
  assert.equal(await stateOf(id), 'paid')
  const paid = await readPaymentOfOrder(database.db, id)
  assert.deepEqual([paid?.state, paid?.captured, paid?.cardBrand, paid?.cardLast4], ['captured', paid?.amount, 'visa', '4242'])
  assert.equal(await hear(fake.event('payment_intent.succeeded', reference)), 'ignored')
})

test('a card declined by Stripe leaves the order awaiting payment, with the reason', async () => {
  const { id, reference } = await placed()
  fake.confirm(reference, 'challenge')
  assert.equal(await hear(fake.event('payment_intent.requires_action', reference)), 'applied')
  fake.confirm(reference, 'decline', 'insufficient_funds')
  assert.equal(await hear(fake.event('payment_intent.payment_failed', reference)), 'applied')
  const failed = await readPaymentOfOrder(database.db, id)
  assert.deepEqual([failed?.state, failed?.failureCode], ['failed', 'insufficient-funds'])
  assert.equal(await stateOf(id), 'awaiting-payment')
})

test('A70: a Stripe message with a wrong secret, an outdated timestamp or an altered body is refused', async () => {
  const { reference } = await placed()
  const body = fake.event('payment_intent.succeeded', reference)
  await assert.rejects(hear(body, 'whsec_another'), { name: 'ForgedMessage' })
  await assert.rejects(hear(body, webhookSecret, Math.floor(Date.now() / 1000) - 3600), { name: 'ForgedMessage' })
  await assert.rejects(
    database.command({}, (scope) => receiveWebhook(scope, stripe, `${body} `, { 'stripe-signature': fake.sign(body, webhookSecret) })),
    { name: 'ForgedMessage' },
  )
})

for (const body of [
  'null',
  '[]',
  '{}',
  '"payment_intent.succeeded"',
  '{"id":"evt_1","type":"payment_intent.succeeded"}',
  '{"id":"evt_1","type":"payment_intent.succeeded","data":null}',
  '{"id":"evt_1","type":"payment_intent.succeeded","data":{"object":{}}}',
  '{"id":"evt_1","type":"payment_intent.succeeded","data":{"object":{"id":"pi_1","object":"payment_intent"}}}',
  '{"id":"evt_1","type":"refund.failed","data":{"object":{"id":"re_1","object":"refund","status":"failed","payment_intent":"pi_1","amount":"all"}}}',
])
  test(`V-06 ${body}, rightly signed, is refused as a message that makes no sense`, async () => {
    await assert.rejects(hear(body), (error: Error) => ['ForgedMessage', 'UnreadableMessage'].includes(error.name))
  })

test('F8: Stripe captures, answers 500, and is retried with the same key: captured once', async () => {
  const { id, reference } = await placed()
  fake.confirm(reference, 'approve')
  fake.failAfter(`/v1/payment_intents/${reference}/capture`)
  await hear(fake.event('payment_intent.amount_capturable_updated', reference))
  await work()
  assert.equal(await stateOf(id), 'authorised')
  await database.db.run({
    name: 'test.again',
    text: 'update platform.outbox set available_at = now(), locked_until = null where done_at is null',
  })
  await work()
  assert.equal(await stateOf(id), 'paid')
  assert.equal(fake.changes().filter((path) => path.includes(reference)).length, 1)
})

test('an expired hold cancels the intent at Stripe; money captured there in the meantime is refunded', async () => {
  const first = await placed()
  const second = await placed()
  fake.confirm(second.reference, 'approve')
  // Captured directly at Stripe, with no message sent.
  await stripe.capture(second.reference, { key: 'by-hand-in-the-dashboard' })
  await database.db.run({
    name: 'test.over',
    text: `update orders.customer_order set holds_until = now() - interval '1 minute' where state = 'awaiting-payment'`,
  })
  await database.command({}, (scope) => Promise.all(checkoutJobs.schedules.map(({ run }) => run(scope))))
  await work()
  assert.equal((await readPaymentOfOrder(database.db, first.id))?.state, 'expired')
  const back = await readPaymentOfOrder(database.db, second.id)
  assert.deepEqual([back?.state, back?.captured, back?.refunded], ['refunded', back?.amount, back?.amount])
  assert.equal(await stateOf(second.id), 'cancelled')
})

test('events that Stripe never sent are found by querying it, and its list contains them all', async () => {
  const { id, reference } = await placed()
  fake.confirm(reference, 'approve')
  await database.db.run({ name: 'test.due', text: `update payments.payment set next_check_at = now() - interval '1 second'` })
  await database.command({}, (scope) => Promise.all(schedules.map(({ run }) => run(scope))))
  await work()
  await work()
  assert.equal(await stateOf(id), 'paid')
  const list = await stripe.list({ since: new Date(0) }, {})
  assert.ok(list.some((payment) => payment.reference === reference && payment.captured === payment.amount))
})
