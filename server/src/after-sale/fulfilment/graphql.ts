import { wordsFor } from '@purlin/words/catalogues.ts'
import type { ActionsOf, Scope, SiteScope } from '#platform'
import type { Resolvers } from '../../edges/generated/resolvers.ts'
import { cancelSale, refuseSale } from './handle-sale.ts'
import { appointmentOf, chooseDeliverySlot } from './choose-slot.ts'
import { reportParcel } from './report-parcel.ts'
import { toSaleResult } from './sale-result.ts'
import { shipLines } from './ship-lines.ts'
import { listSalesDue, showSale } from './show-sale.ts'
import { showShipments } from './show-shipments.ts'
import { trackParcel } from './track-parcel.ts'

export const resolvers = {
  Query: {
    trackedParcel: (_parent, { token }, scope: SiteScope) => trackParcel(scope, token),
    sale: (_parent, { sellerOrderId }, scope: Scope) => showSale(scope, sellerOrderId),
    salesDue: (_parent, { kind, after }, scope: Scope) => listSalesDue(scope, kind, after ?? null),
  },
  Mutation: {
    refuseSale: (_parent, { lines, note, ...declining }, scope: Scope) =>
      refuseSale(scope, { ...declining, lines: lines ?? null, note: note ?? null }).then(toSaleResult),
    cancelSale: (_parent, { lines, note, ...declining }, scope: Scope) =>
      cancelSale(scope, { ...declining, lines: lines ?? null, note: note ?? null }).then(toSaleResult),
    shipSale: (_parent, { lines, carrier, ...shipping }, scope: Scope) =>
      shipLines(scope, { ...shipping, lines: lines ?? null, carrier: carrier ?? null }).then(toSaleResult),
    chooseDeliverySlot: async (_parent, args, scope: Scope) => {
      const chosen = await chooseDeliverySlot(scope, args)
      return { refusal: chosen.ok ? null : { reason: chosen.reason, message: wordsFor(scope.market)(`slot.refusal.${chosen.reason}`) } }
    },
    reportParcel: (_parent, { parcelId, kind, place }, scope: Scope) =>
      reportParcel(scope, { parcelId, kind, place: place ?? null }).then(toSaleResult),
  },
  CustomerOrder: {
    // The order itself was authorised where it was read. A draft has no seller orders yet.
    shipments: async ({ id, market, isPaid, sellerOrders, state }, _args, { db, now }: SiteScope) => {
      if (!isPaid && state !== 'cancelled') return []
      const ids = sellerOrders.map((part) => part.id)
      const shipments = await showShipments({ db, now, market }, id, ids)
      return shipments.map((shipment) => {
        const part = sellerOrders.find((each) => each.id === shipment.sellerOrderId)
        return { ...shipment, appointment: part ? appointmentOf(market, now, part, shipment.parcels) : null }
      })
    },
  },
} satisfies Resolvers

export const actions = {
  'Query.trackedParcel': 'parcel.track',
  'Query.sale': 'sellerOrder.see',
  'Query.salesDue': 'sellerOrder.handle',
  'Mutation.refuseSale': 'sellerOrder.handle',
  'Mutation.cancelSale': 'sellerOrder.handle',
  'Mutation.shipSale': 'sellerOrder.handle',
  'Mutation.chooseDeliverySlot': 'delivery.schedule',
  'Mutation.reportParcel': 'sellerOrder.handle',
} satisfies ActionsOf<typeof resolvers>
