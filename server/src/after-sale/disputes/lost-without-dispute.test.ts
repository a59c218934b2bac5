import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { testOperator, testSellerMember } from '@purlin/contract/testing.ts'
import type { Principal } from '@purlin/contract/principal.ts'
import { moveLines } from '#orders'
import { useSettings } from '#platform/testing'
import { newBuyer } from '../../selling/checkout/testing.ts'
import { giveRefund } from '../../selling/refunds/give-refund.ts'
import { requestRefund } from '../../selling/refunds/request-refund.ts'
import { reportParcel } from '../fulfilment/index.ts'
import { showReturnOptions } from '../returns/show-return.ts'
import { endUnclaimed } from './end-unclaimed.ts'
import { offers, sellerOf, shopWithLostParcels, type Lost } from './testing.ts'

/** A lost parcel about which there is no dispute: every way out of its incident, and the seller's money after it. */

const operatorKey = 'an-operator-key-of-the-tests-with-32-bytes'
useSettings({ OPERATOR_API_KEY: operatorKey })
const shop = await shopWithLostParcels()
const { database, gateway, provider, work, oneOfTwoLost, oneOfTwoArrived, reportLost, openedBy, agree, shipmentOf, statesOf, payableAt } =
  shop

const seller = testSellerMember({ sellerId: 1 })
const operator = testOperator({ roles: [{ role: 'support', market: null }] })
const [arrived, missing] = offers.gb
const price = 3000

async function give(principal: Principal, { orderId, sellerOrderId }: Lost, amount: number, offerId: string | null): Promise<void> {
  const wish = { customerOrderId: orderId, sellerOrderId, offerId, amount, idempotencyKey: randomUUID() }
  assert.ok((await database.command({ principal }, (scope) => giveRefund(scope, wish))).ok)
  await work()
}

const lost = async (quantity = 1) => {
  const buyer = newBuyer(database)
  const order = await oneOfTwoLost(buyer, 'gb', quantity)
  await work()
  return { buyer, order }
}
const states = async (order: Lost) => statesOf(await shipmentOf('gb', order))
const isEnded = async (order: Lost) => {
  assert.deepEqual(await states(order), ['closed', 'delivered'])
  assert.ok(await payableAt(order.sellerOrderId), 'the seller is paid for what has arrived')
}
const isOpen = async (order: Lost) => {
  assert.deepEqual(await states(order), ['delivered', 'incident-open'])
  assert.equal(await payableAt(order.sellerOrderId), null)
}

for (const [who, principal, offerId] of [
  ['the seller for its line', seller, missing],
  ['the seller for the order', seller, null],
  ['the operator for its line', operator, missing],
  ['the operator for the order', operator, null],
] as const)
  test(`R-482 a lost piece is closed once its price has been given back by ${who}, and the rest is paid out`, async () => {
    const { buyer, order } = await lost()
    await give(principal, order, price - 1, offerId)
    await isOpen(order)
    await give(principal, order, 1, offerId)
    await isEnded(order)
    assert.equal((await shipmentOf('gb', order)).history.at(-1)?.label, '1 item did not arrive and was refunded')
    const options = await showReturnOptions(buyer.scope(), order.orderId, order.sellerOrderId, [])
    assert.deepEqual(
      options?.lines.map(({ returnable }) => returnable),
      [1, 0],
    )
  })

test('R-482 money for the other goods of the order does not close what is lost, and the price of one of two lost pieces closes neither', async () => {
  const { order } = await lost(2)
  await give(seller, order, 2 * price, arrived)
  await isOpen(order)
  await give(seller, order, price, missing)
  await isOpen(order)
  await give(seller, order, price, missing)
  await isEnded(order)
})

test('R-482 a parcel that is reported as lost after everything was given back is closed at once', async () => {
  const order = await oneOfTwoArrived(newBuyer(database), 'gb')
  await give(seller, order, 1_000_000, null)
  await reportLost('gb', order)
  await work()
  await isEnded(order)
})

test('R-482 a withdrawal from the lost piece closes it, one from the piece that has arrived does not', async () => {
  const { order } = await lost()
  for (const [offerId, check] of [
    [arrived, isOpen],
    [missing, isEnded],
  ] as const) {
    const { orderId: customerOrderId, sellerOrderId } = order
    const wish = {
      customerOrderId,
      sellerOrderId,
      cause: 'withdrawal',
      key: `return:${randomUUID()}`,
      units: [{ offerId, quantity: 1 }],
    } as const
    assert.ok(await database.command({}, (scope) => requestRefund(scope, wish)))
    await work()
    await check(order)
  }
})

const dayMs = 86_400_000
const passed = async ({ orderId: customerOrderId, sellerOrderId }: Lost, days: number) => {
  const now = new Date(Date.now() + days * dayMs)
  await database.command({ now }, (scope) => endUnclaimed(scope, { customerOrderId, sellerOrderId }))
  await work()
}
/** In how many days the jobs run that end the incident. */
const scheduled = async ({ sellerOrderId }: Lost): Promise<number[]> => {
  const { rows } = await database.pool.query<{ days: number }>(
    `select round(extract(epoch from run_at - now()) / 86400)::int as days from platform.job where name = 'disputes.end-unclaimed' and key like $1
      order by run_at`,
    [`${sellerOrderId}/%`],
  )
  return rows.map(({ days }) => days)
}

for (const kind of ['lost', 'returned'] as const)
  test(`R-482 a parcel that the carrier reports as ${kind} is paid back after fourteen days without its buyer doing anything`, async () => {
    const order = await oneOfTwoArrived(newBuyer(database), 'gb')
    await database.command(sellerOf('gb'), (scope) => reportParcel(scope, { parcelId: order.lost, kind, place: null }))
    await work()
    assert.deepEqual(await scheduled(order), [14])
    await passed(order, 13.9)
    await isOpen(order)
    await passed(order, 14.1)
    await isEnded(order)
    const refunded = await provider.refundedOf(order.orderId)
    assert.ok(refunded >= price && refunded < 2 * price, `${refunded}: the lost piece with its share of the delivery charge`)
    await passed(order, 30)
    assert.equal(await provider.refundedOf(order.orderId), refunded)
  })

test('R-482 a parcel of which nobody knows counts as arrived when its buyer has said nothing for thirty days: the seller is paid, and a dispute can still be opened', async () => {
  const buyer = newBuyer(database)
  const order = await oneOfTwoArrived(buyer, 'gb')
  const moves = [{ offerId: missing, quantity: 1, from: 'shipped', to: 'incident-open' }] as const
  const { sellerOrderId } = order
  assert.ok((await database.command({}, (scope) => moveLines(scope, { sellerOrderId, actor: 'system', reason: 'not-arrived', moves }))).ok)
  await work()
  assert.deepEqual(await scheduled(order), [30])
  await passed(order, 29.9)
  await isOpen(order)
  await passed(order, 30.1)
  await isEnded(order)
  assert.equal(await provider.refundedOf(order.orderId), 0)
  await agree('gb', await openedBy(buyer, sellerOrderId, { wish: 'part-refund', amount: price }))
  assert.equal(await provider.refundedOf(order.orderId), price)
})

test('R-482 an open dispute stops the time of an incident, which begins anew when the dispute leaves the incident open', async () => {
  const { buyer, order } = await lost()
  const id = await openedBy(buyer, order.sellerOrderId, { wish: 'part-refund', amount: 500 })
  await work()
  await passed(order, 40)
  await isOpen(order)
  await agree('gb', id)
  assert.deepEqual(await scheduled(order), [14, 14])
  await passed(order, 14.1)
  await isEnded(order)
})

const end = (orderId: string, body: object, key = operatorKey) =>
  fetch(`${gateway.url}/api/v1/operator/incidents/${orderId}/end`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

for (const [deed, state, refunded] of [
  ['refund', 'closed', true],
  ['send-again', 'accepted', false],
  ['close', 'closed', false],
] as const)
  test(`R-482 the operator ends an incident without a dispute: ${deed}`, async () => {
    const { order } = await lost()
    assert.equal((await end(order.sellerOrderId, { do: deed }, 'wrong')).status, 401)
    assert.equal((await end(order.sellerOrderId, { do: 'nothing' })).status, 400)
    assert.equal((await end(order.sellerOrderId.replace(/^P./, 'P0'), { do: deed })).status, 404)
    await isOpen(order)
    assert.equal((await end(order.sellerOrderId, { do: deed })).status, 200)
    await work()
    assert.deepEqual(await states(order), [state, 'delivered'].toSorted())
    assert.equal((await provider.refundedOf(order.orderId)) >= price, refunded)
    assert.equal((await payableAt(order.sellerOrderId)) !== null, state === 'closed')
    assert.equal((await end(order.sellerOrderId, { do: deed })).status, 409, 'once')
  })

test('R-482 the operator decides an open dispute instead of ending its incident beside it', async () => {
  const { buyer, order } = await lost()
  await openedBy(buyer, order.sellerOrderId, { wish: 'refund' })
  const answer = await end(order.sellerOrderId, { do: 'refund' })
  assert.deepEqual([answer.status, await answer.json()], [409, { error: 'dispute-exists' }])
  await isOpen(order)
})
