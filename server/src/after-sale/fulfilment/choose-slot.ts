import type { Market } from '@purlin/contract/markets.ts'
import { firstSlotDay } from '#checkout'
import { findOrder, moveAppointment, type SellerOrder } from '#orders'
import { findSlot, readSlotId, showSlot, slotId, slotTimes, type Slot } from '#pickup'
import { enqueue, readingAside, type Scope } from '#platform'
import { localDay } from '#pricing'
import { endOfDay } from './deadlines.ts'
import { stateOfParcel, type ParcelEvent } from './parcel.ts'
import { readParcels, writeDues, writeExpected } from './store.ts'
import { tellSellerOfSlot, tellSlot } from './tell-slot.ts'

export type SlotRefusal = 'unknown-order' | 'slot-not-now' | 'slot-gone' | 'slot-unavailable'

const isOpen: ReadonlySet<SellerOrder['state']> = new Set(['awaiting-payment', 'pending', 'accepted', 'preparing', 'shipped'])

interface Tracked {
  events: readonly Pick<ParcelEvent, 'kind' | 'at'>[]
}

/** Whether the appointment passed without anybody there; not one that was chosen since. */
function isMissed({ events }: Tracked, chosenAt: Date | null): boolean {
  const last = events.toSorted((a, b) => a.at.getTime() - b.at.getTime()).at(-1)
  return last?.kind === 'appointment-missed' && (chosenAt === null || last.at > chosenAt)
}

/** The appointment of a part as its buyer may handle it: until the day before, or anew after it was missed; null for other deliveries. */
export function appointmentOf(
  market: Market,
  now: Date,
  part: { deliveryKind: string; state: SellerOrder['state']; appointment?: { from: Date; chosenAt?: Date | null } | null },
  parcels: readonly Tracked[],
): { canChoose: boolean; isMissed: boolean } | null {
  if (part.deliveryKind !== 'appointment') return null
  const { from, chosenAt = null } = part.appointment ?? {}
  const missed = parcels.some((parcel) => isMissed(parcel, chosenAt))
  const isAtDoor = parcels.some(({ events }) => ['out-for-delivery', 'delivered'].includes(stateOfParcel(events)))
  const isTooLate = from !== undefined && localDay(market, now) >= localDay(market, from)
  return { canChoose: isOpen.has(part.state) && (missed || (!isAtDoor && !isTooLate)), isMissed: missed }
}

/** The buyer chooses the time of a delivery, or another one: the carrier hears of it by the worker. */
export async function chooseDeliverySlot(
  scope: Scope,
  { customerOrderId, sellerOrderId, slotId: id }: { customerOrderId: string; sellerOrderId: string; slotId: string },
): Promise<{ ok: true; slot: Slot } | { ok: false; reason: SlotRefusal }> {
  // The calendar is asked before the transaction begins, which must not wait for anybody.
  const aside = readingAside(scope)
  const order = await findOrder(aside, 'delivery.schedule', customerOrderId)
  const part = order?.sellerOrders.find((each) => each.id === sellerOrderId)
  if (!order || !part || order.paidAt === null) return { ok: false, reason: 'unknown-order' }
  const { market } = order
  const parcels = (await readParcels(aside.db, order.id)).filter((parcel) => parcel.sellerOrderId === part.id)
  const before = part.appointment ?? null
  const now = appointmentOf(market, scope.now, { ...part, appointment: before && showSlot(market, before) }, parcels)
  if (!now?.canChoose) return { ok: false, reason: 'slot-not-now' }
  if (before && slotId(before) === id && !now.isMissed) return { ok: true, slot: before }
  const wanted = readSlotId(id)
  const first = await firstSlotDay(aside, order, part.sellerId)
  if (!wanted || wanted.day < first) return { ok: false, reason: 'slot-gone' }
  const found = await findSlot(scope, { market, postcode: order.address.postcode, from: first, id })
  if (!found) return { ok: false, reason: found === null ? 'slot-gone' : 'slot-unavailable' }
  const slot = { ...found, chosenAt: scope.now.toISOString() }
  // Another request, or the driver, may have been faster.
  if (!(await moveAppointment(scope.db, part.id, before, slot))) return { ok: false, reason: 'slot-not-now' }
  const dueAt = endOfDay(slot.day)
  if (part.state === 'shipped')
    await writeDues(scope.db, [{ sellerOrderId, kind: 'arrive', customerOrderId: order.id, sellerId: part.sellerId, market, dueAt }])
  for (const parcel of parcels) {
    await writeExpected(scope.db, parcel.id, slotTimes(market, slot).to)
    await enqueue(scope.db, { name: 'fulfilment.schedule', key: parcel.id, payload: { parcelId: parcel.id } })
  }
  const chosen = { ...part, appointment: slot }
  await tellSlot(scope, order, chosen, 'chosen')
  await tellSellerOfSlot(scope, order, chosen)
  return { ok: true, slot }
}
