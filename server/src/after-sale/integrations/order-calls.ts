import * as v from 'valibot'
import {
  cancelSale,
  listSalesDue,
  parcelEventKinds,
  refuseSale,
  reportParcel,
  sellerReasons,
  shipLines,
  showSale,
  type Handled,
} from '#fulfilment'
import { sellerIdOf } from '#accounts'
import { readSellerOrders } from '#orders'
import type { Scope } from '#platform'
import { acceptOrSendAgain } from '#returns'
import { endpoint, found, type Outcome } from './endpoint.ts'
import { cursor, id, lines, market, money, next, note, offerId, orderId, quantity, time } from './schemas.ts'

const pageSize = 50
const tag = 'Orders'
const params = v.strictObject({ orderId })
const state = v.picklist(['pending', 'accepted', 'refused', 'preparing', 'shipped', 'delivered', 'incident-open', 'closed', 'cancelled'])

const listedOrder = v.object({ id: orderId, customerOrderId: v.string(), market, state, paidAt: time, total: money })
const text = v.nullable(v.string())
const address = v.object({
  firstName: v.string(),
  lastName: v.string(),
  company: text,
  vatNumber: text,
  line1: v.string(),
  line2: text,
  postcode: v.string(),
  city: v.string(),
  country: v.string(),
  phone: v.string(),
  instructions: text,
})
const pieces = v.object({ offerId, quantity })
const parcel = v.object({
  id,
  carrier: v.string(),
  trackingNumber: text,
  state: v.picklist(['preparing', 'on-the-way', 'out-for-delivery', 'waiting-for-you', 'delivered', 'lost', 'returned']),
  expectedBy: v.nullable(time),
  isLate: v.boolean(),
  contents: v.array(pieces),
  events: v.array(v.object({ kind: v.picklist(parcelEventKinds), at: time, place: text })),
})
export const order = v.object({
  id: orderId,
  customerOrderId: v.string(),
  market,
  state,
  paidAt: time,
  total: money,
  delivery: v.object({ kind: v.string(), promise: v.string() }),
  address,
  lines: v.array(v.object({ offerId, productId: v.string(), title: v.string(), quantity, total: money })),
  pieces: v.pipe(v.array(v.object({ offerId, state, quantity })), v.description('Pieces of each line by state')),
  parcels: v.array(parcel),
  due: v.pipe(
    v.nullable(v.object({ kind: v.picklist(['accept', 'ship', 'arrive', 'collect', 'close']), at: time, isMissed: v.boolean() })),
    v.description("The seller's next step"),
  ),
})
const moved = v.object({ orderId, state, parcelId: v.nullable(id) })

async function listOrders(scope: Scope, after: string | undefined): Promise<Outcome> {
  const sellerId = sellerIdOf(scope) ?? 0
  const rows = await readSellerOrders(scope.db, sellerId, after ?? '', pageSize + 1)
  const shown = rows.slice(0, pageSize)
  const orders = shown.map(({ total, currency, ...row }) => ({ ...row, total: { amount: total, currency } }))
  return { ok: true, body: { orders, next: rows.length > pageSize ? (shown.at(-1)?.id ?? null) : null } }
}

async function readOrder(scope: Scope, sellerOrderId: string): Promise<Outcome> {
  const sale = await showSale(scope, sellerOrderId)
  if (!sale) return found(null)
  const { sellerOrderId: own, deliveryKind, deliveryPromise, shipment, ...facts } = sale
  const { pieces: held, parcels, due } = shipment
  return found({ ...facts, id: own, delivery: { kind: deliveryKind, promise: deliveryPromise }, pieces: held, parcels, due })
}

async function done(handled: Promise<Handled>): Promise<Outcome> {
  const outcome = await handled
  if (!outcome.ok) return outcome
  const { sellerOrderId, state: reached, parcelId } = outcome
  return { ok: true, body: { orderId: sellerOrderId, state: reached, parcelId } }
}

const declining = v.strictObject({ reason: v.picklist(sellerReasons), note: v.optional(note(500)), lines })
const writes = { method: 'post', tag, scope: 'orders:write', action: 'sellerOrder.handle', params, result: moved } as const

export const orderCalls = [
  endpoint({
    id: 'listOrders',
    method: 'get',
    path: '/orders',
    summary: 'Paid orders of the seller, fifty at a time, in the order of their ids',
    tag,
    scope: 'orders:read',
    action: 'sellerOrder.see',
    query: v.strictObject({ after: cursor }),
    result: v.object({ orders: v.array(listedOrder), next }),
    handle: (scope, { query: { after } }) => listOrders(scope, after),
  }),
  endpoint({
    id: 'listWork',
    method: 'get',
    path: '/due-orders/{kind}',
    summary: 'Orders that wait for a step of the seller, most urgent first, fifty at a time',
    tag,
    scope: 'orders:read',
    action: 'sellerOrder.handle',
    params: v.strictObject({ kind: v.picklist(['accept', 'ship']) }),
    query: v.strictObject({ after: cursor }),
    result: v.object({
      work: v.array(v.object({ orderId, customerOrderId: v.string(), market, kind: v.picklist(['accept', 'ship']), dueAt: time })),
      next,
    }),
    handle: async (scope, { params: { kind }, query: { after } }) => {
      const { items, next: cursorOfNext } = await listSalesDue(scope, kind, after ?? null)
      return {
        ok: true,
        body: { work: items.map(({ sellerOrderId, ...due }) => ({ ...due, orderId: sellerOrderId })), next: cursorOfNext },
      }
    },
  }),
  endpoint({
    id: 'readOrder',
    method: 'get',
    path: '/orders/{orderId}',
    summary: 'One order, with its address, lines, parcels and deadline',
    tag,
    scope: 'orders:read',
    action: 'sellerOrder.see',
    params,
    result: order,
    handle: (scope, input) => readOrder(scope, input.params.orderId),
  }),
  endpoint({
    ...writes,
    id: 'acceptOrder',
    path: '/orders/{orderId}/accept',
    summary:
      'Accepts pieces: from now on the seller owes them. Named lines that have come back undelivered are sent again, unless the buyer returns them',
    body: v.strictObject({ lines }),
    handle: (scope, { params: { orderId: sellerOrderId }, body }) =>
      done(acceptOrSendAgain(scope, { sellerOrderId, lines: body.lines ?? null })),
  }),
  endpoint({
    ...writes,
    id: 'refuseOrder',
    path: '/orders/{orderId}/refuse',
    summary: 'Declines pieces that have not been accepted; the buyer gets their money back',
    body: declining,
    handle: (scope, { params: { orderId: sellerOrderId }, body: { reason, note: why = null, lines: some = null } }) =>
      done(refuseSale(scope, { sellerOrderId, reason, note: why, lines: some })),
  }),
  endpoint({
    ...writes,
    id: 'cancelOrder',
    path: '/orders/{orderId}/cancel',
    summary: 'Cancels accepted pieces that have not left; the buyer gets their money back',
    body: declining,
    handle: (scope, { params: { orderId: sellerOrderId }, body: { reason, note: why = null, lines: some = null } }) =>
      done(cancelSale(scope, { sellerOrderId, reason, note: why, lines: some })),
  }),
  endpoint({
    ...writes,
    id: 'shipOrder',
    path: '/orders/{orderId}/parcels',
    status: 201,
    summary: "Puts accepted pieces into a parcel that a carrier of the seller's own has taken",
    body: v.strictObject({
      lines,
      carrier: v.strictObject({ name: v.pipe(v.string(), v.maxLength(40)), trackingNumber: v.pipe(v.string(), v.maxLength(40)) }),
    }),
    handle: (scope, { params: { orderId: sellerOrderId }, body, key }) =>
      done(shipLines(scope, { sellerOrderId, lines: body.lines ?? null, carrier: body.carrier, idempotencyKey: key })),
  }),
  endpoint({
    ...writes,
    id: 'reportParcel',
    path: '/parcels/{parcelId}/events',
    status: 201,
    summary: "Reports what happened to a parcel sent with a carrier of the seller's own",
    params: v.strictObject({ parcelId: id }),
    body: v.strictObject({ kind: v.picklist(parcelEventKinds), place: v.optional(note(60)) }),
    handle: (scope, { params: { parcelId }, body: { kind, place = null } }) => done(reportParcel(scope, { parcelId, kind, place })),
  }),
]
