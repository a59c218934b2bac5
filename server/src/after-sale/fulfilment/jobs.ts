import { readOrder, sellerOfPart } from '#orders'
import { every, job, on, type JobScope } from '#platform'
import type { EventPayloads, MovedPieces } from '#events'
import { actAsSeller, planSellerAct, type SellerAct } from './automatic-sellers.ts'
import { bookParcel, recordBooking, type BookingJob } from './book-parcel.ts'
import { checkDeadlines, endIdleDues } from './check-deadlines.ts'
import { dueAt, endOfDay, type DoorDue } from './deadlines.ts'
import { promiseOf } from './find-sale.ts'
import { scheduleParcel } from './schedule-parcel.ts'
import type { CarrierNews, Forgotten } from './carrier.ts'
import { askToForget, forgetOldParcels } from './forget-parcels.ts'
import { remindToCollect, type CollectReminder } from './hold-parcel.ts'
import { isBackWithSeller } from './incidents.ts'
import { forgetMessages, writeDues } from './store.ts'
import { tellBuyer } from './tell.ts'
import { recordTracking, trackParcelAtCarrier, trackSilent, type TrackingJob } from './track-silent.ts'

/** From payment on the sellers have until the first deadline to accept. */
async function startSales(scope: JobScope, { customerOrderId, market, sellerOrderIds }: EventPayloads['order.paid']): Promise<void> {
  const parts = sellerOrderIds ?? (await readOrder(scope.db, customerOrderId))?.sellerOrders.map(({ id }) => id) ?? []
  const due = { kind: 'accept' as const, customerOrderId, market, dueAt: dueAt('accept', market, scope.now) }
  await writeDues(
    scope.db,
    parts.map((sellerOrderId) => ({ ...due, sellerOrderId, sellerId: sellerOfPart(sellerOrderId) })),
  )
  for (const sellerOrderId of parts) await planSellerAct(scope, { sellerOrderId, act: 'accept' })
}

/** The next deadline, counted from the move. */
async function watch(scope: JobScope, kind: DoorDue, { customerOrderId, sellerOrderId, market }: MovedPieces): Promise<void> {
  const order = await readOrder(scope.db, customerOrderId)
  const part = order?.sellerOrders.find(({ id }) => id === sellerOrderId)
  if (!part) return
  const due = kind === 'arrive' && part.appointment ? endOfDay(part.appointment.day) : dueAt(kind, market, scope.now, promiseOf(part))
  await writeDues(scope.db, [{ sellerOrderId, kind, customerOrderId, sellerId: part.sellerId, market, dueAt: due }])
}

/** Buyers know what they have cancelled themselves. */
const isNewsToBuyer = ({ actor, reason }: MovedPieces): boolean => actor !== 'buyer' && reason !== 'buyer-request'

export const handlers = [
  on('order.paid', 'fulfilment.start', { commit: startSales }),
  on('seller-order.accepted', 'fulfilment.accepted', {
    commit: async (scope, moved) => {
      await watch(scope, 'ship', moved)
      await endIdleDues(scope, moved.sellerOrderId)
      await tellBuyer(scope, 'accepted', moved)
    },
  }),
  on('seller-order.shipped', 'fulfilment.shipped', {
    commit: async (scope, moved) => {
      await watch(scope, 'arrive', moved)
      await endIdleDues(scope, moved.sellerOrderId)
      await tellBuyer(scope, 'shipped', moved)
    },
  }),
  on('seller-order.delivered', 'fulfilment.delivered', {
    commit: async (scope, moved) => {
      await watch(scope, 'close', moved)
      await endIdleDues(scope, moved.sellerOrderId)
      await tellBuyer(scope, 'delivered', moved)
    },
  }),
  on('seller-order.refused', 'fulfilment.refused', {
    commit: async (scope, moved) => {
      await endIdleDues(scope, moved.sellerOrderId)
      await tellBuyer(scope, 'not-coming', moved)
    },
  }),
  on('seller-order.cancelled', 'fulfilment.cancelled', {
    commit: async (scope, moved) => {
      await endIdleDues(scope, moved.sellerOrderId)
      if (isNewsToBuyer(moved)) await tellBuyer(scope, 'not-coming', moved)
    },
  }),
  on('seller-order.incident-opened', 'fulfilment.incident', {
    commit: async (scope, moved) => {
      await endIdleDues(scope, moved.sellerOrderId)
      // The module of returns tells the buyer about pieces that are back with their seller.
      if (isNewsToBuyer(moved) && !isBackWithSeller(moved)) await tellBuyer(scope, 'incident', moved)
    },
  }),
]

export const jobs = [
  job<CollectReminder>('fulfilment.remind-to-collect', { commit: remindToCollect }),
  job<SellerAct>('fulfilment.act-as-seller', { commit: actAsSeller }),
  job<BookingJob, null>('fulfilment.schedule', { call: scheduleParcel, commit: async () => undefined }, 'services'),
  job<BookingJob, Awaited<ReturnType<typeof bookParcel>>>('fulfilment.book', { call: bookParcel, commit: recordBooking }, 'services'),
  job<Forgotten, null>('fulfilment.forget-at-carrier', { call: askToForget, commit: async () => undefined }, 'services'),
  job<TrackingJob, CarrierNews | null>('fulfilment.track', { call: trackParcelAtCarrier, commit: recordTracking }, 'services'),
]

const day = 86_400_000
export const schedules = [
  every(60_000, 'fulfilment.deadlines', checkDeadlines),
  every(60_000, 'fulfilment.track-silent', trackSilent),
  every(3_600_000, 'fulfilment.forget-old', forgetOldParcels),
  every(day, 'fulfilment.forget-messages', (scope) => forgetMessages(scope.db, new Date(scope.now.getTime() - day))),
]
