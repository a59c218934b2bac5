import { readOrder } from '#orders'
import { slotTimes } from '#pickup'
import type { CallContext } from '#platform'
import { carrierOfShop } from './carrier-of-shop.ts'
import { connectedCarrier } from './carrier.ts'
import { readParcel } from './store.ts'

/** Tells the carrier when the buyer wants a parcel it has; the appointment of the moment counts. */
export async function scheduleParcel({ db, signal }: CallContext, { parcelId }: { parcelId: string }): Promise<null> {
  const parcel = await readParcel(db, parcelId)
  // One that is booked later is booked with its appointment.
  if (!parcel?.trackingNumber || parcel.carrier !== connectedCarrier) return null
  const part = (await readOrder(db, parcel.customerOrderId))?.sellerOrders.find(({ id }) => id === parcel.sellerOrderId)
  if (part?.appointment) await carrierOfShop()?.schedule(parcel.trackingNumber, slotTimes(parcel.market, part.appointment), { signal })
  return null
}
