import { isId, requireQuota, type Scope } from '#platform'
import { connectedCarrier } from './carrier.ts'
import { findSale } from './find-sale.ts'
import { staffIdOf, type Handled } from './handle-sale.ts'
import { noOrderId, stateOfSellerOrder, sumQuantities, quantityStates } from '#orders'
import { holdParcel } from './hold-parcel.ts'
import { stateOfParcel, type ParcelEventKind } from './parcel.ts'
import { recordEvent } from './record-news.ts'
import { readParcel } from './store.ts'

const maxPlaceLength = 60

/**
 * A seller's report about a parcel sent with their own carrier; the connected carrier reports for itself. Of a parcel that is delivered or
 * back with its sender there is nothing more to report. The buyer hears once that it waits at a pick-up point.
 */
export async function reportParcel(
  scope: Scope,
  { parcelId, kind, place }: { parcelId: string; kind: ParcelEventKind; place: string | null },
): Promise<Handled> {
  const parcel = isId(parcelId) ? await readParcel(scope.db, parcelId) : undefined
  // As many statements for an unknown parcel as for another seller's.
  const sale = await findSale(scope, 'sellerOrder.handle', parcel?.sellerOrderId ?? `${noOrderId}-1`)
  if (!parcel || !sale) return { ok: false, reason: 'unknown-order' }
  if (parcel.carrier === connectedCarrier || kind === 'registered' || kind === 'collected') return { ok: false, reason: 'not-allowed' }
  const before = stateOfParcel(parcel.events)
  if (kind !== before && (before === 'delivered' || before === 'returned')) return { ok: false, reason: 'not-allowed' }
  await requireQuota('parcel-report', { key: parcel.id })
  // A parcel is delivered, lost or returned once; it may be at a depot many times.
  const isFinal = kind === 'delivered' || kind === 'lost' || kind === 'returned'
  const sourceId = isFinal ? kind : `${kind}:${scope.now.toISOString()}`
  await recordEvent(scope, parcel, { sourceId, kind, at: scope.now, place: place?.slice(0, maxPlaceLength) || null }, staffIdOf(scope))
  if (kind === 'at-pick-up-point' && parcel.heldUntil === null)
    await holdParcel(scope, parcel, { arrivedAt: scope.now, heldUntil: null, isHistory: false })
  const state = stateOfSellerOrder(sumQuantities(await quantityStates(scope.db, [parcel.sellerOrderId])))
  return { ok: true, sellerOrderId: parcel.sellerOrderId, state, parcelId }
}
