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
  const held = (await shippedPieces(db, about, { areHeld: true })).map(({ offerId, quantity }) => ({ offerId, quantity }))
  if (kind === 'collect') return held
  if (held.length === 0) return null
  return lines.flatMap(({ offerId, quantities }) => {
    const waiting = held.filter((each) => each.offerId === offerId).reduce((sum, { quantity }) => sum + quantity, 0)
    const quantity = (quantities.shipped ?? 0) - waiting
    return quantity > 0 ? [{ offerId, quantity }] : []
  })
}

/**
 * Awaited pieces by the parcel that carries them, so that their moves name it and later reports about the parcel find them; null for those
 * that no parcel is known to carry.
 */
export async function awaitedByParcel(
  db: Db,
  kind: DueKind,
  about: About,
  { pieces, lines }: { pieces: readonly Pieces[] | null; lines: readonly LineQuantities[] },
): Promise<{ parcelId: string | null; pieces: readonly Pieces[] | null }[]> {
  if (kind !== 'arrive' && kind !== 'collect') return [{ parcelId: null, pieces }]
  const left = new Map<string, number>()
  for (const { offerId, quantity } of pieces ?? lines.map(shippedOf)) left.set(offerId, (left.get(offerId) ?? 0) + quantity)
  const carried = Map.groupBy(await shippedPieces(db, about, { areHeld: kind === 'collect' }), ({ parcelId }) => parcelId)
  const parts = [...carried].map(([parcelId, own]) => ({
    parcelId,
    pieces: own.map(({ offerId, quantity: inParcel }) => {
      const quantity = Math.min(inParcel, left.get(offerId) ?? 0)
      left.set(offerId, (left.get(offerId) ?? 0) - quantity)
      return { offerId, quantity }
    }),
  }))
  const rest = { parcelId: null, pieces: [...left].map(([offerId, quantity]) => ({ offerId, quantity })) }
  return [...parts, rest].flatMap(({ parcelId, pieces: own }) => {
    const some = own.filter(({ quantity }) => quantity > 0)
    return some.length > 0 ? [{ parcelId, pieces: some }] : []
  })
}

const shippedOf = ({ offerId, quantities }: LineQuantities): Pieces => ({ offerId, quantity: quantities.shipped ?? 0 })

/** Pieces of a seller order in parcels that wait at pick-up points, or in the others. */
async function shippedPieces(
  db: Db,
  { customerOrderId, sellerOrderId }: About,
  { areHeld }: { areHeld: boolean },
): Promise<(Pieces & { parcelId: string })[]> {
  const parcels = (await readParcels(db, customerOrderId)).filter(
    (parcel) => parcel.sellerOrderId === sellerOrderId && (stateOfParcel(parcel.events) === 'waiting-for-you') === areHeld,
  )
  const ids = parcels.map(({ id }) => id)
  const carried = ids.length > 0 ? await quantitiesInParcels(db, ids) : []
  return carried.map((line) => ({ ...shippedOf(line), parcelId: line.parcelId })).filter(({ quantity }) => quantity > 0)
}
