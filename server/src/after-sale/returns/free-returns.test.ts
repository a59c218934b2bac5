import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Customer } from '@purlin/contract/principal.ts'
import { testSellerMember } from '@purlin/contract/testing.ts'
import { forgetSwitches, setConfig } from '#flags'
import { moveLines } from '#orders'
import { newId } from '#platform'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { addCustomer, addMembership, signIn } from '../../people/accounts/testing.ts'
import * as checkoutJobs from '../../selling/checkout/jobs.ts'
import { addOffer, companiesIn, fillShop, must, newBuyer, type Buyer } from '../../selling/checkout/testing.ts'
import * as paymentJobs from '../../selling/payments/jobs.ts'
import * as refundJobs from '../../selling/refunds/jobs.ts'
import { testProvider } from '../../selling/refunds/testing.ts'
import { handleReturn } from './handle-return.ts'
import { handlers } from './jobs.ts'
import { requestReturn } from './request-return.ts'

const database = await testDatabase()
const { db, pool } = database
await fillShop(database)
await addOffer(database, { id: '8101', stock: 1000, price: 2400 })
const work = () =>
  runWork(database, [...paymentJobs.handlers, ...refundJobs.handlers, ...handlers], [...checkoutJobs.jobs, ...paymentJobs.jobs])
const gateway = await testGateway(pool)
const provider = await testProvider(database, gateway.url, work)
after(() => provider.close())

interface Delivered {
  id: string
  buyer: Buyer
  cookie: string
  host: string
}
async function delivered(buyer: Buyer, cookie: string, host: string): Promise<Delivered> {
  const lines = [{ offerId: '8101', quantity: 2 }]
  const id = await provider.paidOrder(buyer, lines)
  const steps = [
    ['seller', 'pending', 'accepted'],
    ['seller', 'accepted', 'shipped'],
    ['carrier', 'shipped', 'delivered'],
  ] as const
  for (const [actor, from, to] of steps)
    await database.command({}, (scope) =>
      moveLines(scope, { sellerOrderId: `${id}-1`, actor, reason: 'test', moves: lines.map((line) => ({ ...line, from, to })) }),
    )
  await work()
  return { id, buyer, cookie, host }
}

/** Bought by a company, and by one of its members for the home. */
const companies = companiesIn(database)
const company = { ...(await companies.newCompany()), prefersVat: false }
const professional = await companies.join(company, 'admin')
const customer = await addCustomer(db)
await addMembership(db, customer.id, company.id, 'buyer')
const atHome = await signIn(db, { customerId: customer.id, family: 'b2c' })
const principal: Customer = { kind: 'customer', ...customer }
const boughtByCompany = () => delivered(professional, professional.cookie, 'pro.gb.localhost:3000')
const boughtAtHome = await delivered(
  newBuyer(database, { principal, session: { id: atHome.id } }),
  `__Host-purlin=${atHome.token}`,
  'gb.localhost:3000',
)

let version = 0
async function configure(days: number | null): Promise<void> {
  const place = { market: 'gb', mode: 'b2b' }
  const value = days === null ? null : { days }
  assert.ok(await database.command({}, (scope) => setConfig(scope, place, { key: 'free-returns-b2b', value, replaces: version++ })))
  forgetSwitches()
}

async function subscribe(state: 'subscriber' | 'ended' | 'none'): Promise<void> {
  await pool.query('delete from subscriptions.subscription')
  if (state === 'none') return
  const isActive = state === 'subscriber'
  await pool.query(
    `insert into subscriptions.subscription (id, company_id, customer_id, market, origin, state, period, has_trial, paid_until, created_at, ended_at, end_reason)
     values ($1, $2, $3, 'gb', 'x', $4, 'monthly', false, now() + interval '20 days', now(), $5, $6)`,
    [
      newId(),
      company.id,
      professional.principal.id,
      isActive ? 'active' : 'ended',
      isActive ? null : new Date(),
      isActive ? null : 'withdrawn',
    ],
  )
}

/** What is offered to somebody who has changed their mind, so many days after the goods arrived. */
async function offered({ id, cookie, host }: Delivered, daysAgo: number) {
  await pool.query(
    `update orders.line_move set at = now() - make_interval(days => $2, mins => 5) where seller_order_id = $1 and to_state = 'delivered'`,
    [`${id}-1`, daysAgo],
  )
  const { body } = await gateway.post(
    `query ($id: ID!, $part: ID!) { returnOptions(customerOrderId: $id, sellerOrderId: $part, lines: [{ offerId: "8101", quantity: 1 }]) {
      reasons { reason isWithdrawal daysLeft methods { value } refund { amount } } } }`,
    { id, part: `${id}-1` },
    { cookie, host },
  )
  const { data } = body as { data: { returnOptions: { reasons: { reason: string; daysLeft: number; isWithdrawal: boolean }[] } } }
  assert.ok(data?.returnOptions, JSON.stringify(body))
  return data.returnOptions.reasons.find(({ reason }) => reason === 'changed-mind')
}

/** Days a company may send back what it does not need: the longer of the setting and the thirty of a subscription, on the day it buys. */
const rows = [
  [null, 'subscriber', 30],
  [null, 'ended', 0],
  [null, 'none', 0],
  [14, 'subscriber', 30],
  [14, 'ended', 14],
  [14, 'none', 14],
  [45, 'subscriber', 45],
  [45, 'ended', 45],
  [45, 'none', 45],
] as const

for (const [days, state, limit] of rows)
  test(`R-411 a company returns within ${limit} days with the setting at ${days ?? 'nothing'} and the subscription: ${state}; a consumer withdraws within 14`, async () => {
    await configure(days)
    await subscribe(state)
    const order = await boughtByCompany()
    // The term is the order's: what is begun, ended or set afterwards changes nothing.
    await configure(days === null ? 60 : null)
    await subscribe(state === 'subscriber' ? 'ended' : 'subscriber')
    const last = await offered(order, limit)
    if (limit === 0) assert.equal(last, undefined)
    else assert.deepEqual([last?.daysLeft, last?.isWithdrawal], [0, false])
    assert.equal(await offered(order, limit + 1), undefined)

    assert.equal((await offered(boughtAtHome, 13))?.isWithdrawal, true)
    // Holidays after the fourteenth day add four days at most.
    assert.equal(await offered(boughtAtHome, 20), undefined)
  })

test('R-411 an order from before the term was stored has the one that applies today', async () => {
  await configure(null)
  await subscribe('none')
  const order = await boughtByCompany()
  await pool.query('update orders.customer_order set free_return_days = null where id = $1', [order.id])
  assert.equal(await offered(order, 20), undefined)
  await subscribe('subscriber')
  assert.equal((await offered(order, 20))?.daysLeft, 10)
})

test('R-411 the label of such a return costs the company nothing: what the piece cost is paid back whole, the delivery charge is kept', async () => {
  await configure(null)
  await subscribe('subscriber')
  const order = await boughtByCompany()
  await offered(order, 20)
  const { id, buyer } = order
  const asked = must(
    await buyer.does((scope) =>
      requestReturn(scope, {
        customerOrderId: id,
        sellerOrderId: `${id}-1`,
        lines: [{ offerId: '8101', quantity: 1 }],
        reason: 'changed-mind',
        wish: 'refund',
        method: 'label',
        description: '',
        photos: [],
      }),
    ),
  )
  const seller = { principal: testSellerMember({ sellerId: 1 }) }
  const deed = { finding: 'as-described', amount: null, note: null }
  for (const step of ['receive', 'inspect', 'refund'] as const)
    must(await database.command(seller, (scope) => handleReturn(scope, asked.id, { do: step, ...deed })))
  await work()
  assert.equal(await provider.refundedOf(id), 2400)
})
