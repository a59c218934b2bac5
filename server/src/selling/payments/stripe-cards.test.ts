import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startStripeFake, type StripeFake } from '../../../../services/src/stripe-fake/index.ts'
import { logOf, type Scope } from '#platform'
import { testDatabase } from '#platform/testing'
import { runWork } from '../../edges/worker/testing.ts'
import { addCustomer } from '../../people/accounts/testing.ts'
import * as checkoutJobs from '../checkout/jobs.ts'
import { addOffer, draftOrder, fillShop, must, newBuyer, place, type Buyer } from '../checkout/testing.ts'
import { dropCard, listCards, preferCard, removeCardsOf } from './change-cards.ts'
import { handlers, jobs } from './jobs.ts'
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
  const keys = { secretKey: 'sk_test_fake', webhookSecret, publishableKey: 'pk_test_fake' }
  stripe = stripeProvider({ ...keys, frameUrl: 'https://cards.example/pay', apiUrl: fake.url, timeoutMs: 1000 })
  usePaymentProvider(stripe)
})
after(() => fake.close())
const work = () => runWork(database, handlers, [...checkoutJobs.jobs, ...jobs])
const visa = { brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2039, fingerprint: 'one' }
const mastercard = { brand: 'mastercard', last4: '4444', exp_month: 5, exp_year: 2038, fingerprint: 'two' }

const newCustomer = async (): Promise<Buyer & { id: string }> => {
  const person = await addCustomer(database.db)
  return { ...newBuyer(database, { principal: { kind: 'customer', ...person } }), id: person.id }
}
async function placed(buyer: Buyer) {
  const id = await draftOrder(buyer, [{ offerId: '6001', quantity: 1 }])
  must(await place(buyer, id))
  await work()
  const payment = await readPaymentOfOrder(database.db, id)
  assert.ok(payment?.providerReference)
  return { reference: payment.providerReference, frameUrl: payment.frameUrl ?? '' }
}
async function paid(reference: string): Promise<void> {
  fake.confirm(reference, 'approve')
  const body = fake.event('payment_intent.amount_capturable_updated', reference)
  const headers = { 'stripe-signature': fake.sign(body, webhookSecret) }
  await database.command({}, (scope) => receiveWebhook({ ...scope, log: logOf({ test: true }) }, stripe, body, headers))
  await work()
}
const customerAt = async (id: string) =>
  (await database.pool.query<{ reference: string }>('select reference from payments.provider_customer where customer_id = $1', [id]))
    .rows[0]?.reference ?? ''
const shown = async (scope: Scope) => (await listCards(scope)).map(({ brand, last4, isDefault }) => [brand, last4, isDefault])

test('R-130 Stripe: a customer’s fields get a customer session, a guest’s do not; the customer is created once', async () => {
  const ann = await newCustomer()
  const first = await placed(ann)
  assert.match(first.frameUrl, /^https:\/\/cards\.example\/pay#secret=pi_.*&key=pk_test_fake&customer=cuss_secret_\w+$/)
  const customer = await customerAt(ann.id)
  await paid(first.reference)
  await placed(ann)
  assert.equal(await customerAt(ann.id), customer)
  assert.equal(fake.changes().filter((path) => path === '/v1/customers').length, 1)
  assert.doesNotMatch((await placed(newBuyer(database))).frameUrl, /customer/)
})

test('R-015 Stripe: cards saved with consent are listed, once each; others that Stripe attached are not', async () => {
  const ben = await newCustomer()
  const { reference } = await placed(ben)
  const customer = await customerAt(ben.id)
  fake.attach(customer, visa, true)
  fake.attach(customer, visa, true)
  fake.attach(customer, mastercard, false)
  await paid(reference)
  assert.deepEqual(await shown(ben.scope()), [['visa', '4242', true]])
})

test('Stripe: the default card is set there, a deleted one detached, and the customer is deleted with the account', async () => {
  const cleo = await newCustomer()
  const { reference } = await placed(cleo)
  const customer = await customerAt(cleo.id)
  const first = fake.attach(customer, visa, true)
  const second = fake.attach(customer, mastercard, true)
  await paid(reference)
  assert.equal(fake.defaultCardOf(customer), second)
  const idOf = async (token: string) => (await listCards(cleo.scope())).find((card) => card.reference === token)?.id ?? ''
  const firstId = await idOf(first)
  assert.deepEqual(await cleo.does((scope) => preferCard(scope, firstId)), { ok: true })
  await work()
  assert.equal(fake.defaultCardOf(customer), first)
  const secondId = await idOf(second)
  assert.deepEqual(await cleo.does((scope) => dropCard(scope, secondId)), { ok: true })
  await work()
  assert.deepEqual(
    (await stripe.listCards(customer, {})).map((card) => card.reference),
    [first],
  )
  // RequestOptions for again under another key, there is nothing left to detach.
  await stripe.detachCard(second, { key: 'detach-it-again' })
  await database.command({}, (scope) => removeCardsOf(scope, cleo.id))
  await work()
  await assert.rejects(stripe.listCards(customer, {}), /No such customer/)
  await stripe.deleteCustomer(customer, { key: 'delete-it-again' })
})
