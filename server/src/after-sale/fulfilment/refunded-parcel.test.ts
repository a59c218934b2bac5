import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { testSellerMember } from '@purlin/contract/testing.ts'
import { moveLines, quantityStates } from '#orders'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { fillShop } from '../../selling/checkout/testing.ts'
import { applyProviderState } from '../../selling/payments/apply-provider-state.ts'
import { readPaymentOfOrder } from '../../selling/payments/store.ts'
import { requestRefund } from '../../selling/refunds/request-refund.ts'
import * as returnJobs from '../returns/jobs.ts'
import { checkDeadlines } from './check-deadlines.ts'
import { acceptSale, cancelSale } from './handle-sale.ts'
import { handlers, jobs } from './jobs.ts'
import { shipLines } from './ship-lines.ts'
import { testCarrier } from './test-carrier.ts'
import { paidOrder } from './testing.ts'

/** An order whose whole money has gone back, by the marketplace's goodwill, while its parcel waits for the carrier. */

const database = await testDatabase()
await fillShop(database)
const gateway = await testGateway(database.pool)
const day = 86_400_000
let clock = Date.now() - 3 * day
const { server: carrier } = await testCarrier(gateway.url, { now: () => clock, fateOf: () => 'delivered', isSilent: () => false })
after(() => carrier.close())
const work = () => runWork(database, [...handlers, ...returnJobs.handlers], jobs)
const asSeller = { principal: testSellerMember({ sellerId: 1 }) }

async function packedAndRefunded(): Promise<{ orderId: string; sellerOrderId: string }> {
  const { orderId, part } = await paidOrder(database, [[1, 2]])
  const sellerOrderId = part(1)
  assert.ok((await database.command(asSeller, (scope) => acceptSale(scope, { sellerOrderId, lines: null }))).ok)
  const shipping = { sellerOrderId, lines: null, carrier: null, idempotencyKey: randomUUID() }
  assert.ok((await database.command(asSeller, (scope) => shipLines(scope, shipping))).ok)
  await work()
  const payment = await readPaymentOfOrder(database.db, orderId)
  assert.ok(payment)
  const { id: paymentId, amount, currency } = payment
  const extra = { offerId: null, amount }
  const goodwill = {
    customerOrderId: orderId,
    sellerOrderId,
    cause: 'goodwill',
    key: `goodwill:${orderId}`,
    extra,
    bornBy: 'marketplace',
  } as const
  await database.command({}, (scope) => requestRefund(scope, goodwill))
  const state = { reference: `r-${paymentId}`, paymentId, amount, currency, failureCode: null, card: null, frameUrl: null } as const
  await database.command({}, (scope) =>
    applyProviderState(scope, paymentId, { ...state, captured: amount, refunded: amount, status: 'refunded' }, 'test'),
  )
  return { orderId, sellerOrderId }
}
const piecesOf = async (sellerOrderId: string) => (await quantityStates(database.db, [sellerOrderId]))[0]?.quantities
async function balanceOfSeller(orderId: string): Promise<number> {
  const { rows } = await database.pool.query<{ sum: number }>(
    `select coalesce(sum(e.amount), 0)::int as sum from ledger.entry e join ledger.booking b on b.id = e.booking_id
      where b.customer_order_id = $1 and e.account = 'seller:1'`,
    [orderId],
  )
  return rows[0]?.sum ?? 0
}
async function passDays(days: number): Promise<void> {
  for (let n = 1; n <= days; n++) {
    await database.command({ now: new Date(Date.now() + n * day) }, (scope) => checkDeadlines(scope))
    await work()
  }
}

test('R-482 what the carrier reports of a parcel counts although its order was refunded meanwhile: nothing is cancelled, and the seller keeps their money', async () => {
  const { orderId, sellerOrderId } = await packedAndRefunded()
  const owed = await balanceOfSeller(orderId)
  assert.notEqual(owed, 0)
  for (let half = 0; half < 8; half++) {
    clock += day / 2
    await carrier.tick()
    await work()
  }
  assert.deepEqual(await piecesOf(sellerOrderId), { delivered: 2 })
  await passDays(30)
  const pieces = await piecesOf(sellerOrderId)
  assert.ok(!pieces?.cancelled, JSON.stringify(pieces))
  assert.equal(await balanceOfSeller(orderId), owed)
  const { rows } = await database.pool.query<{ template: string }>(`select template from mail.mail where key like $1`, [
    `seller-order:${sellerOrderId}:%`,
  ])
  const templates = rows.map(({ template }) => template)
  assert.ok(
    templates.some((template) => /delivered/.test(template)) && !templates.some((template) => /cancel/.test(template)),
    templates.join(),
  )
})

test('R-482 a seller unpacks and cancels the parcel of an order that was refunded, and hands nothing over', async () => {
  const { sellerOrderId } = await packedAndRefunded()
  const move = (from: 'preparing' | 'accepted', to: 'accepted' | 'shipped' | 'preparing') =>
    database.command({}, (scope) =>
      moveLines(scope, {
        sellerOrderId,
        actor: 'seller',
        reason: 'test',
        moves: (held) => held.map(({ offerId }) => ({ offerId, quantity: 2, from, to })),
      }),
    )
  assert.deepEqual(await move('preparing', 'shipped'), { ok: false, reason: 'order-not-paid' })
  assert.ok((await move('preparing', 'accepted')).ok)
  for (const to of ['preparing', 'shipped'] as const) assert.deepEqual(await move('accepted', to), { ok: false, reason: 'order-not-paid' })
  const cancelling = { sellerOrderId, lines: null, reason: 'other', note: null } as const
  assert.ok((await database.command(asSeller, (scope) => cancelSale(scope, cancelling))).ok)
  assert.deepEqual(await piecesOf(sellerOrderId), { cancelled: 2 })
})
