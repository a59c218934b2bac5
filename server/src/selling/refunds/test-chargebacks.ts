import { after } from 'node:test'
import { testOperator } from '@purlin/contract/testing.ts'
import { checkAfterSale } from '../../../../e2e/model/after-sale-checks.ts'
import { logOf, type Scope } from '#platform'
import type { TestDatabase } from '#platform/testing'
import { startStripeFake } from '../../../../services/src/stripe-fake/index.ts'
import { runWork } from '../../edges/worker/testing.ts'
import * as checkoutJobs from '../checkout/jobs.ts'
import { addOffer, draftOrder, fillShop, must, newBuyer, place } from '../checkout/testing.ts'
import * as paymentJobs from '../payments/jobs.ts'
import { receiveWebhook } from '../payments/receive-webhook.ts'
import { usePaymentProvider } from '../payments/settings.ts'
import { readPaymentOfOrder } from '../payments/store.ts'
import { stripeProvider } from '../payments/stripe-provider.ts'
import { bearChargeback, listChargebacks } from './bear-chargeback.ts'
import { returnTransfer, settleAtProvider } from './correct-refund.ts'
import { dropRefund } from './drop-refund.ts'
import { confirmTransfer } from './give-refund.ts'
import { handlers } from './jobs.ts'
import { requestRefund, type RequestRefund } from './request-refund.ts'
import { readRefund } from './store.ts'

/** For tests: orders paid at Stripe, whose payments the buyers' banks take back, and what the operator does about them. */

export const operator: Partial<Scope> = { principal: testOperator({ roles: [{ role: 'support', market: null }] }) }
/** An account that a buyer gives. */
export const account = { iban: 'DE89370400440532013000', holder: 'Robin Field' }

export async function chargedBackShop(database: TestDatabase) {
  await fillShop(database)
  await addOffer(database, { id: '7201', stock: 1000, price: 6000 })
  const webhookSecret = 'whsec_of_the_tests'
  const fake = await startStripeFake('sk_test_fake')
  after(() => fake.close())
  const keys = { secretKey: 'sk_test_fake', webhookSecret, publishableKey: 'pk_test_fake' }
  const stripe = stripeProvider({ ...keys, frameUrl: 'https://cards.example/pay', apiUrl: fake.url, timeoutMs: 1000 })
  usePaymentProvider(stripe)
  const work = () => runWork(database, [...paymentJobs.handlers, ...handlers], [...checkoutJobs.jobs, ...paymentJobs.jobs])
  const receive = (body: string) =>
    database.command({}, (scope) =>
      receiveWebhook({ ...scope, log: logOf({ test: true }) }, stripe, body, { 'stripe-signature': fake.sign(body, webhookSecret) }),
    )
  const hear = async (body: string) => {
    const received = await receive(body)
    await work()
    return received
  }

  /** An order of £60 that was paid, delivered free of charge. */
  async function paid(offerIds: readonly string[] = ['7201']) {
    const buyer = newBuyer(database)
    const orderId = await draftOrder(
      buyer,
      offerIds.map((offerId) => ({ offerId, quantity: 1 })),
    )
    must(await place(buyer, orderId))
    await work()
    const reference = (await readPaymentOfOrder(database.db, orderId))?.providerReference ?? ''
    fake.confirm(reference, 'approve')
    await hear(fake.event('payment_intent.amount_capturable_updated', reference))
    const dispute = (type: string, status: string, amount = 6000) =>
      fake.dispute(`charge.dispute.${type}`, reference, status).replace(/"amount":\d+/, `"amount":${amount}`)
    const opened = () => hear(dispute('created', 'needs_response'))
    const closed = (status: 'won' | 'lost' | 'warning_closed', amount = 6000) => hear(dispute('closed', status, amount))
    /** The bank takes back a part alone, for good; each time by a chargeback of its own, as for several articles of an order. */
    let parts = 0
    const lostOf = (amount: number) => hear(dispute('closed', 'lost', amount).replace('"du_', `"du_${parts++}`))
    return { buyer, orderId, reference, opened, closed, lostOf, lost: () => dispute('closed', 'lost') }
  }
  async function request(wish: Omit<RequestRefund, 'sellerOrderId'>): Promise<string> {
    const { id } = await database.command({}, async (scope) => ({
      ok: true,
      id: await requestRefund(scope, { ...wish, sellerOrderId: `${wish.customerOrderId}-1` }),
    }))
    await work()
    return id ?? ''
  }
  const refund = (orderId: string, key: string, amount: number): Promise<string> =>
    request({ customerOrderId: orderId, cause: 'dispute', key: `${orderId}:${key}`, extra: { offerId: null, amount } })
  const stateOf = async (id: string) => (await readRefund(database.db, id))?.state
  async function balances(orderId: string): Promise<Record<string, number>> {
    const { rows } = await database.pool.query<{ account: string; sum: number }>(
      `select e.account, sum(e.amount)::int as sum from ledger.entry e join ledger.booking b on b.id = e.booking_id
        where b.customer_order_id = $1 group by 1 having sum(e.amount) <> 0`,
      [orderId],
    )
    return Object.fromEntries(rows.map(({ account: name, sum }) => [name, sum]))
  }
  const refundedAt = async (orderId: string) => (await readPaymentOfOrder(database.db, orderId))?.refunded
  const chargebackOf = async (orderId: string) =>
    (await listChargebacks(database.scope(operator))).find(({ customerOrderId }) => customerOrderId === orderId)
  const bear = (who: Partial<Scope>, id: string, sellerOrderId: string | null) =>
    database.command(who, async (scope) => ({ ok: await bearChargeback(scope, id, sellerOrderId) })).then(({ ok }) => ok)
  /** What the operator does about a refund. */
  const by = (does: (scope: Scope, id: string) => Promise<boolean>) => (id: string) =>
    database.command(operator, async (scope) => ({ ok: await does(scope, id) })).then(({ ok }) => ok)
  const failed = (reference: string) => hear(fake.failRefund('refund.failed', reference, 'expired_or_canceled_card'))
  /** Breaches of the invariants. */
  const broken = async () =>
    (await checkAfterSale({ query: (text, values) => database.pool.query(text, values) })).map(({ id, what }) => `${id} ${what}`)
  const does = { confirm: by(confirmTransfer), returned: by(returnTransfer), settle: by(settleAtProvider), drop: by(dropRefund) }
  const sees = { stateOf, balances, refundedAt, chargebackOf, broken }
  return { fake, stripe, work, receive, hear, paid, request, refund, bear, failed, ...does, ...sees }
}
