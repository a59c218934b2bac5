import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import type { Market } from '@purlin/contract/markets.ts'
import { testSellerMember } from '@purlin/contract/testing.ts'
import type { Scope } from '#platform'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import * as checkoutJobs from '../../selling/checkout/jobs.ts'
import { addOffer, fillShop, type Buyer } from '../../selling/checkout/testing.ts'
import * as paymentJobs from '../../selling/payments/jobs.ts'
import * as refundJobs from '../../selling/refunds/jobs.ts'
import { testProvider } from '../../selling/refunds/testing.ts'
import { acceptSale, reportParcel, shipLines } from '../fulfilment/index.ts'
import { showShipments } from '../fulfilment/show-shipments.ts'
import { writeMessage } from '../messages/index.ts'
import * as payoutJobs from '../payouts/jobs.ts'
import * as disputeJobs from './jobs.ts'
import { moveDispute, openDispute, type OpenDispute } from './move-dispute.ts'

/** For tests: a shop whose orders come in two parcels, of which one is lost. */

export const offers = { gb: ['8501', '8502'], de: ['8503', '8504'] } as const

export const sellerOf = (market: Market): Partial<Scope> => ({ market, principal: testSellerMember({ sellerId: 1 }) })

export interface Lost {
  orderId: string
  sellerOrderId: string
  /** Of the two parcels, the one that did not arrive. */
  lost: string
}

export async function shopWithLostParcels() {
  const database = await testDatabase()
  await fillShop(database)
  for (const market of ['gb', 'de'] as const)
    for (const id of offers[market]) await addOffer(database, { id, market, price: 3000, stock: 1000 })
  const handlers = [...paymentJobs.handlers, ...refundJobs.handlers, ...payoutJobs.handlers, ...disputeJobs.handlers]
  const work = () => runWork(database, handlers, [...checkoutJobs.jobs, ...paymentJobs.jobs])
  const gateway = await testGateway(database.pool)
  const provider = await testProvider(database, gateway.url, work)
  after(() => provider.close())

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
    const { rows } = await database.pool.query<{ at: Date | null }>(
      'select payable_at as at from payouts.sale where seller_order_id = $1',
      [sellerOrderId],
    )
    return rows[0]?.at ?? null
  }
  return {
    database,
    gateway,
    provider,
    work,
    oneOfTwoLost,
    oneOfTwoArrived,
    reportLost,
    send,
    openedBy,
    agree,
    shipmentOf,
    statesOf,
    payableAt,
  }
}
