import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { Market } from '@purlin/contract/markets.ts'
import { testSellerMember } from '@purlin/contract/testing.ts'
import { orderToken } from '#orders'
import { settings, type Scope } from '#platform'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { addCustomer } from '../../people/accounts/testing.ts'
import { openOrderByToken } from '../../selling/checkout/open-order-by-token.ts'
import * as checkoutJobs from '../../selling/checkout/jobs.ts'
import { addOffer, fillShop, newBuyer, type Buyer } from '../../selling/checkout/testing.ts'
import { allowByToken } from '../../selling/orders/access-token.ts'
import * as paymentJobs from '../../selling/payments/jobs.ts'
import * as refundJobs from '../../selling/refunds/jobs.ts'
import { testProvider } from '../../selling/refunds/testing.ts'
import { acceptSale, reportParcel, shipLines } from '../fulfilment/index.ts'
import { showShipments } from '../fulfilment/show-shipments.ts'
import { writeMessage } from '../messages/index.ts'
import * as payoutJobs from '../payouts/jobs.ts'
import { showReturnOptions } from '../returns/show-return.ts'
import * as disputeJobs from './jobs.ts'
import { moveAs, moveDispute, openDispute, type OpenDispute } from './move-dispute.ts'
import { listDisputesOfOrder } from './show-dispute.ts'

/** One of two parcels is lost: the whole way to the money. */

const database = await testDatabase()
await fillShop(database)
const offers = { gb: ['8501', '8502'], de: ['8503', '8504'] } as const
for (const market of ['gb', 'de'] as const)
  for (const id of offers[market]) await addOffer(database, { id, market, price: 3000, stock: 1000 })
const handlers = [...paymentJobs.handlers, ...refundJobs.handlers, ...payoutJobs.handlers, ...disputeJobs.handlers]
const work = () => runWork(database, handlers, [...checkoutJobs.jobs, ...paymentJobs.jobs])
const gateway = await testGateway(database.pool)
const provider = await testProvider(database, gateway.url, work)
after(() => provider.close())

const sellerOf = (market: Market): Partial<Scope> => ({ market, principal: testSellerMember({ sellerId: 1 }) })

interface Lost {
  orderId: string
  sellerOrderId: string
  /** Of the two parcels, the one that did not arrive. */
  lost: string
}

async function oneOfTwoLost(buyer: Buyer, market: 'gb' | 'de', quantity = 1): Promise<Lost> {
  const order = await oneOfTwoArrived(buyer, market, quantity)
  await reportLost(market, order)
  return order
}

async function reportLost(market: Market, { lost }: Lost): Promise<void> {
  const reported = await database.command(sellerOf(market), (scope) => reportParcel(scope, { parcelId: lost, kind: 'lost', place: null }))
  assert.ok(reported.ok && reported.state === 'incident-open')
}

/** Nothing is known of the other parcel yet. */
async function oneOfTwoArrived(buyer: Buyer, market: 'gb' | 'de', quantity = 1): Promise<Lost> {
  const lines = offers[market].map((offerId) => ({ offerId, quantity }))
  const orderId = await provider.paidOrder(buyer, lines)
  const sellerOrderId = `${orderId}-1`
  const seller = sellerOf(market)
  assert.ok((await database.command(seller, (scope) => acceptSale(scope, { sellerOrderId, lines: null }))).ok)
  const [arrived, lost] = [await send(market, sellerOrderId, lines.slice(0, 1)), await send(market, sellerOrderId, lines.slice(1))]
  await database.command(seller, (scope) => reportParcel(scope, { parcelId: arrived, kind: 'delivered', place: null }))
  return { orderId, sellerOrderId, lost }
}

async function send(market: Market, sellerOrderId: string, lines: { offerId: string; quantity: number }[]): Promise<string> {
  const carrier = { name: 'Own Van', trackingNumber: `VAN${randomUUID().slice(0, 8)}` }
  const shipped = await database.command(sellerOf(market), (scope) =>
    shipLines(scope, { sellerOrderId, lines, carrier, idempotencyKey: randomUUID() }),
  )
  assert.ok(shipped.ok, JSON.stringify(shipped))
  return shipped.parcelId ?? ''
}

/** The message that the page writes for the buyer, and the dispute about it. */
async function openedBy(
  person: Buyer,
  sellerOrderId: string,
  wish: Pick<OpenDispute, 'wish' | 'amount'> & Partial<Pick<OpenDispute, 'reason'>>,
): Promise<string> {
  const text = 'A parcel of this order has been reported as lost.'
  const write = () =>
    person.does((scope) => writeMessage(scope, 'conversation.write', sellerOrderId, { text, topic: 'delivery', attachments: [] }))
  const [written, again] = [await write(), await write()]
  assert.ok(written.ok && again.ok && again.id === written.id, 'a second tap leads to the same message')
  const about = { orderId: sellerOrderId, messageId: written.id, reason: 'not-received', note: 'The second parcel is lost.' } as const
  const opened = await person.does((scope) => openDispute(scope, { ...about, ...wish }))
  assert.ok(opened.ok, JSON.stringify(opened))
  return opened.id
}

const agree = async (market: Market, id: string): Promise<void> => {
  const agreed = await database.command(sellerOf(market), (scope) =>
    moveDispute(scope, 'dispute.serve', { id, action: 'agree', note: 'We are sorry.' }),
  )
  assert.ok(agreed.ok, JSON.stringify(agreed))
  await work()
}

const shipmentOf = async (market: Market, { orderId, sellerOrderId }: Lost) => {
  const [shipment] = await showShipments({ db: database.db, now: new Date(), market }, orderId, [sellerOrderId])
  assert.ok(shipment)
  return shipment
}
const statesOf = (shipment: Awaited<ReturnType<typeof shipmentOf>>) => shipment.pieces.map(({ state }) => state).toSorted()

/** When the seller's money becomes payable; null while something is open. */
async function payableAt(sellerOrderId: string): Promise<Date | null> {
  const { rows } = await database.pool.query<{ at: Date | null }>('select payable_at as at from payouts.sale where seller_order_id = $1', [
    sellerOrderId,
  ])
  return rows[0]?.at ?? null
}

for (const market of ['gb', 'de'] as const)
  for (const who of ['customer', 'guest by link'] as const)
    test(`R-482 R-485 in ${market} a ${who} whose order comes in two parcels, one of them lost, gets the money for it back through a dispute`, async () => {
      const { id: customerId } = await addCustomer(database.db)
      const principal = { kind: 'customer' as const, id: customerId, email: `${customerId}@example.com`, name: 'Ann', market }
      const buyer = newBuyer(database, who === 'customer' ? { market, principal } : { market })
      const order = await oneOfTwoLost(buyer, market)
      const { orderId, sellerOrderId } = order
      assert.deepEqual((await shipmentOf(market, order)).parcels.map(({ state }) => state).toSorted(), ['delivered', 'lost'])

      // A guest comes back another day, with the link of a mail.
      const person = who === 'customer' ? buyer : newBuyer(database, { market })
      if (who !== 'customer') {
        const message = { text: 'Where is it?', topic: 'delivery', attachments: [] } as const
        assert.equal((await person.does((scope) => writeMessage(scope, 'conversation.write', sellerOrderId, message))).ok, false)
        const { token } = await allowByToken(database.db, settings().mail.linkSecret, orderId)
        assert.equal(token, orderToken(settings().mail.linkSecret, orderId))
        await person.does((scope) => openOrderByToken(scope, token))
      }
      await agree(market, await openedBy(person, sellerOrderId, { wish: 'part-refund', amount: 3000 }))
      assert.equal(await provider.refundedOf(orderId), 3000, 'what was lost and nothing else')
    })

test('R-482 a lost piece that a dispute has refunded is closed: it can be neither reported nor returned again, and the rest is paid out', async () => {
  const buyer = newBuyer(database)
  const order = await oneOfTwoLost(buyer, 'gb')
  await work()
  assert.equal(await payableAt(order.sellerOrderId), null)
  await agree('gb', await openedBy(buyer, order.sellerOrderId, { wish: 'part-refund', amount: 3000 }))
  const shipment = await shipmentOf('gb', order)
  assert.deepEqual(statesOf(shipment), ['closed', 'delivered'])
  assert.equal(shipment.history.at(-1)?.label, '1 item did not arrive and was refunded')
  const options = await showReturnOptions(buyer.scope(), order.orderId, order.sellerOrderId, [])
  assert.deepEqual(
    options?.lines.map(({ returnable }) => returnable),
    [1, 0],
  )
  assert.ok(await payableAt(order.sellerOrderId), 'the seller is paid for what has arrived')
  assert.deepEqual(
    (await listDisputesOfOrder(buyer.scope(), order.orderId))?.map(({ state, isEnded }) => [state, isEnded]),
    [['settled', true]],
  )
  assert.equal(await listDisputesOfOrder(newBuyer(database).scope(), order.orderId), null, 'nobody else’s')
})

test('R-482 a lost piece whose seller agrees to replace it is sent again with another parcel', async () => {
  const buyer = newBuyer(database)
  const order = await oneOfTwoLost(buyer, 'gb')
  await agree('gb', await openedBy(buyer, order.sellerOrderId, { wish: 'replacement' }))
  const waiting = await shipmentOf('gb', order)
  assert.deepEqual(statesOf(waiting), ['accepted', 'delivered'])
  assert.equal(waiting.history.at(-1)?.label, 'The seller sends 1 item again')
  await send('gb', order.sellerOrderId, [{ offerId: offers.gb[1], quantity: 1 }])
  assert.deepEqual(statesOf(await shipmentOf('gb', order)), ['delivered', 'shipped'])
  // The first parcel turns up after all: the piece that is on its way again stays where it is.
  const found = await database.command(sellerOf('gb'), (scope) =>
    reportParcel(scope, { parcelId: order.lost, kind: 'delivered', place: null }),
  )
  assert.ok(found.ok)
  assert.deepEqual(statesOf(await shipmentOf('gb', order)), ['delivered', 'shipped'])
  assert.equal(await provider.refundedOf(order.orderId), 0)
})

for (const [what, wish] of [
  ['money for the delay', { wish: 'part-refund', amount: 500 }],
  ['the price of one of two pieces', { wish: 'part-refund', amount: 3000 }],
  ['a repair', { wish: 'repair' }],
] as const)
  test(`R-482 ${what} leaves the incident of two lost pieces open: nobody is paid for them, and they can still arrive, and be returned`, async () => {
    const buyer = newBuyer(database)
    const order = await oneOfTwoLost(buyer, 'gb', 2)
    await agree('gb', await openedBy(buyer, order.sellerOrderId, wish))
    assert.deepEqual(statesOf(await shipmentOf('gb', order)), ['delivered', 'incident-open'])
    assert.equal(await payableAt(order.sellerOrderId), null)
    const found = await database.command(sellerOf('gb'), (scope) =>
      reportParcel(scope, { parcelId: order.lost, kind: 'delivered', place: null }),
    )
    assert.ok(found.ok)
    await work()
    assert.deepEqual(new Set(statesOf(await shipmentOf('gb', order))), new Set(['delivered']))
    assert.ok(await payableAt(order.sellerOrderId))
    const options = await showReturnOptions(buyer.scope(), order.orderId, order.sellerOrderId, [])
    assert.ok(options?.lines.every(({ returnable }) => returnable > 0))
  })

test('R-482 a lost piece that is disputed as missing from the order is closed as well once it is paid back', async () => {
  const buyer = newBuyer(database)
  const order = await oneOfTwoLost(buyer, 'gb')
  await agree('gb', await openedBy(buyer, order.sellerOrderId, { wish: 'part-refund', amount: 3000, reason: 'incomplete' }))
  assert.deepEqual(statesOf(await shipmentOf('gb', order)), ['closed', 'delivered'])
})

test('R-482 a dispute about something else in the order ends no incident', async () => {
  const buyer = newBuyer(database)
  const order = await oneOfTwoLost(buyer, 'gb')
  await agree('gb', await openedBy(buyer, order.sellerOrderId, { wish: 'part-refund', amount: 3000, reason: 'damaged' }))
  assert.deepEqual(statesOf(await shipmentOf('gb', order)), ['delivered', 'incident-open'])
})

test('R-482 a decision that gives nothing back closes the incident, and the seller is paid', async () => {
  const buyer = newBuyer(database)
  const order = await oneOfTwoLost(buyer, 'gb')
  const id = await openedBy(buyer, order.sellerOrderId, { wish: 'refund' })
  const contested = await database.command(sellerOf('gb'), (scope) =>
    moveDispute(scope, 'dispute.serve', { id, action: 'contest', note: 'It was handed over and signed for.' }),
  )
  assert.ok(contested.ok)
  const decide = { id, action: 'decide', amount: 0, note: 'The signature is the buyer’s.' } as const
  assert.ok((await database.command({}, (scope) => moveAs(scope, 'operator', decide))).ok)
  assert.deepEqual(statesOf(await shipmentOf('gb', order)), ['delivered', 'incident-open'], 'it can be appealed')
  assert.ok((await database.command({}, (scope) => moveAs(scope, 'system', { id, action: 'finish' }))).ok)
  await work()
  assert.deepEqual(statesOf(await shipmentOf('gb', order)), ['closed', 'delivered'])
  assert.equal(await provider.refundedOf(order.orderId), 0)
  assert.ok(await payableAt(order.sellerOrderId))
})

for (const [agreed, wish, state] of [
  ['a refund', { wish: 'part-refund', amount: 3000 }, 'closed'],
  ['a replacement', { wish: 'replacement' }, 'accepted'],
  ['money for a delay', { wish: 'part-refund', amount: 500 }, 'incident-open'],
] as const)
  test(`R-482 a parcel that is reported as lost after ${agreed} was agreed on has its pieces ${state}`, async () => {
    const buyer = newBuyer(database)
    const order = await oneOfTwoArrived(buyer, 'gb')
    await agree('gb', await openedBy(buyer, order.sellerOrderId, wish))
    assert.deepEqual(statesOf(await shipmentOf('gb', order)), ['delivered', 'shipped'])
    await reportLost('gb', order)
    await work()
    assert.deepEqual(statesOf(await shipmentOf('gb', order)), [state, 'delivered'].toSorted())
    assert.equal((await payableAt(order.sellerOrderId)) !== null, state === 'closed')
  })

test('R-482 one agreement ends one incident: the replacement that is lost as well waits for a dispute of its own', async () => {
  const buyer = newBuyer(database)
  const order = await oneOfTwoLost(buyer, 'gb')
  await agree('gb', await openedBy(buyer, order.sellerOrderId, { wish: 'replacement' }))
  const again = await send('gb', order.sellerOrderId, [{ offerId: offers.gb[1], quantity: 1 }])
  await reportLost('gb', { ...order, lost: again })
  await work()
  assert.deepEqual(statesOf(await shipmentOf('gb', order)), ['delivered', 'incident-open'])
})
