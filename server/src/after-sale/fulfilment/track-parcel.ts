import { blankEmail, quantitiesInParcels, readOrder } from '#orders'
import type { SiteScope } from '#platform'
import { destinationOf } from './destination.ts'
import { contentsOf, showTracking } from './show-shipments.ts'
import { parcelTokenHash } from './parcel-token.ts'
import { readParcelByToken } from './store.ts'

/** A link ends a year after its parcel was packed, and with the erasure of its buyer. */
const linkMs = 365 * 86_400_000

/** The parcel a tracking link leads to. Wrong and expired links look alike; of the recipient only the town is told. */
export async function trackParcel({ db, market, now }: SiteScope, token: string) {
  const hash = parcelTokenHash(token)
  const parcel = hash ? await readParcelByToken(db, hash) : undefined
  if (parcel?.market !== market || parcel.createdAt.getTime() < now.getTime() - linkMs) return null
  const [order, carried] = await Promise.all([readOrder(db, parcel.customerOrderId), quantitiesInParcels(db, [parcel.id])])
  const part = order?.sellerOrders.find(({ id }) => id === parcel.sellerOrderId)
  if (!order || !part || order.email === blankEmail) return null
  return {
    ...showTracking(market, parcel, now),
    sellerName: part.seller.name,
    city: destinationOf(order, part).city,
    pieceCount: contentsOf(carried).reduce((sum, { quantity }) => sum + quantity, 0),
  }
}
