import { quantitiesInParcels, type LineQuantities } from '#orders'
import type { Db } from '#platform'
import { isAwaited, type DueKind } from './deadlines.ts'
import type { Pieces } from './handle-sale.ts'
import { stateOfParcel } from './parcel.ts'
import { readParcels } from './store.ts'

interface About {
  customerOrderId: string
  sellerOrderId: string
}

/**
 * The pieces a deadline waits for; null for all in its states. Parcels at a pick-up point have a deadline of their own and are
 * no longer expected at the door.
 */
export async function awaitedPieces(db: Db, kind: DueKind, about: About, lines: readonly LineQuantities[]): Promise<Pieces[] | null> {
  if (!isAwaited(kind, lines)) return []
  if (kind !== 'arrive' && kind !== 'collect') return null
  const held = await heldPieces(db, about)
  if (kind === 'collect') return held
  if (held.length === 0) return null
  return lines.flatMap(({ offerId, quantities }) => {
    const waiting = held.filter((each) => each.offerId === offerId).reduce((sum, { quantity }) => sum + quantity, 0)
    const quantity = (quantities.shipped ?? 0) - waiting
    return quantity > 0 ? [{ offerId, quantity }] : []
  })
}

/** Pieces of a seller order that wait at pick-up points. */
async function heldPieces(db: Db, { customerOrderId, sellerOrderId }: About): Promise<Pieces[]> {
  const parcels = (await readParcels(db, customerOrderId)).filter(
    (parcel) => parcel.sellerOrderId === sellerOrderId && stateOfParcel(parcel.events) === 'waiting-for-you',
  )
  const ids = parcels.map(({ id }) => id)
  const carried = ids.length > 0 ? await quantitiesInParcels(db, ids) : []
  return carried.map(({ offerId, quantities }) => ({ offerId, quantity: quantities.shipped ?? 0 })).filter(({ quantity }) => quantity > 0)
}
