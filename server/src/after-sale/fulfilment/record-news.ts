import { moveLines, quantitiesInParcels } from '#orders'
import type { JobScope } from '#platform'
import { connectedCarrier, type CarrierNews } from './carrier.ts'
import { movesAfter, type ParcelEvent } from './parcel.ts'
import { tellOutForDelivery } from './tell-of-parcel.ts'
import { readParcelByTracking, writeEvent, writeExpected, type Parcel } from './store.ts'

/** Records a carrier's report about a parcel, with the moves of its pieces; repeated reports change nothing. */
export async function recordNews(scope: JobScope, { trackingNumber, expectedBy, events }: CarrierNews): Promise<'recorded' | 'foreign'> {
  const parcel = await readParcelByTracking(scope.db, connectedCarrier, trackingNumber)
  if (!parcel) return 'foreign'
  if (expectedBy) await writeExpected(scope.db, parcel.id, expectedBy)
  const sorted = events.toSorted((a, b) => a.at.getTime() - b.at.getTime())
  const last = sorted.at(-1)
  for (const event of sorted) {
    const isNew = await recordEvent(scope, parcel, event)
    // Late or repeated reports are history: nobody waits at the door for them.
    if (isNew && event === last && event.kind === 'out-for-delivery') await tellOutForDelivery(scope, parcel, event.at)
  }
  return 'recorded'
}

/** Records one event and moves the pieces of the parcel accordingly. False if it was known. */
export async function recordEvent(scope: JobScope, parcel: Parcel, event: ParcelEvent, actorId: string | null = null): Promise<boolean> {
  if (!(await writeEvent(scope.db, parcel.id, event))) return false
  const cause = movesAfter(event.kind, [], [])
  if (!cause) return true
  const { actor, reason } = cause
  const moved = await moveLines(scope, {
    sellerOrderId: parcel.sellerOrderId,
    actor,
    actorId,
    reason,
    parcelId: parcel.id,
    moves: async (lines) => movesAfter(event.kind, await quantitiesInParcels(scope.db, [parcel.id]), lines)?.moves ?? [],
  })
  if (!moved.ok && moved.reason !== 'nothing-to-move')
    scope.log.warn({ parcelId: parcel.id, kind: event.kind, reason: moved.reason }, 'a carrier reported what cannot be')
  return true
}
