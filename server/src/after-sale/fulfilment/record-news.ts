import { moveLines, quantitiesInParcels } from '#orders'
import type { JobScope } from '#platform'
import { connectedCarrier, type CarrierNews } from './carrier.ts'
import { holdParcel } from './hold-parcel.ts'
import { movesAfter, type ParcelEvent } from './parcel.ts'
import { tellMissed } from './tell-slot.ts'
import { tellOutForDelivery } from './tell-of-parcel.ts'
import { readParcel, readParcelByTracking, writeEvent, writeExpected, type Parcel } from './store.ts'

/** Records a carrier's report about a parcel, with the moves of its pieces; repeated reports change nothing. */
export async function recordNews(
  scope: JobScope,
  { trackingNumber, expectedBy, heldUntil, events }: CarrierNews,
): Promise<'recorded' | 'foreign'> {
  const parcel = await readParcelByTracking(scope.db, connectedCarrier, trackingNumber)
  if (!parcel) return 'foreign'
  if (expectedBy) await writeExpected(scope.db, parcel.id, expectedBy)
  const sorted = events.toSorted((a, b) => a.at.getTime() - b.at.getTime())
  const last = sorted.at(-1)
  for (const event of sorted) {
    const isNew = await recordEvent(scope, parcel, event)
    if (isNew && event.kind === 'at-pick-up-point')
      await holdParcel(scope, parcel, { arrivedAt: event.at, heldUntil, isHistory: event !== last })
    if (isNew && event === last && event.kind === 'appointment-missed') await tellMissed(scope, parcel)
    // Late or repeated reports are history: nobody waits at the door for them.
    if (isNew && event === last && event.kind === 'out-for-delivery') await tellOutForDelivery(scope, parcel, event.at)
  }
  return 'recorded'
}

/** Records one event and moves the pieces of the parcel accordingly. False if it was known. */
export async function recordEvent(scope: JobScope, parcel: Parcel, event: ParcelEvent, actorId: string | null = null): Promise<boolean> {
  if (!(await writeEvent(scope.db, parcel.id, event))) return false
  const isHeld = (await readParcel(scope.db, parcel.id))?.heldUntil != null
  const cause = movesAfter(event.kind, [], [], isHeld)
  if (!cause) return true
  const { actor, reason } = cause
  const moved = await moveLines(scope, {
    sellerOrderId: parcel.sellerOrderId,
    actor,
    actorId,
    reason,
    parcelId: parcel.id,
    moves: async (lines) => movesAfter(event.kind, await quantitiesInParcels(scope.db, [parcel.id]), lines, isHeld)?.moves ?? [],
  })
  if (!moved.ok && moved.reason !== 'nothing-to-move')
    scope.log.warn({ parcelId: parcel.id, kind: event.kind, reason: moved.reason }, 'a carrier reported what cannot be')
  return true
}
