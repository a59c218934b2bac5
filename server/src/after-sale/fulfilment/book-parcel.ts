import { Readable } from 'node:stream'
import { putFile, removeFile } from '#files'
import { quantitiesInParcels, readOrder } from '#orders'
import { slotTimes } from '#pickup'
import { PermanentError, type CallContext, type JobScope } from '#platform'
import { knownSellers } from '#sellers'
import { carrierOfShop } from './carrier-of-shop.ts'
import type { CarrierNews, Consignment } from './carrier.ts'
import { destinationOf } from './destination.ts'
import { promiseOf } from './find-sale.ts'
import { forgetAtCarrier } from './forget-parcels.ts'
import { weightOfPieces } from './parcel-weight.ts'
import { recordNews } from './record-news.ts'
import { isForgottenParcel, readParcel, writeBooking } from './store.ts'

export interface BookingJob {
  parcelId: string
}

interface Booking extends CarrierNews {
  labelFile: string
}

const usual = { daysMin: 2, daysMax: 4 }

/** Books a parcel with the shop's carrier and stores its label; booked again after a crash, it stays one parcel. */
export async function bookParcel(context: CallContext, { parcelId }: BookingJob): Promise<Booking | null> {
  const carrier = carrierOfShop()
  if (!carrier) throw new PermanentError('The shop has no carrier')
  const consignment = await consignmentOf(context, parcelId)
  if (!consignment) return null
  const { label, ...news } = await carrier.book(consignment, { signal: context.signal })
  const put = await putFile(context.db, Readable.from([Buffer.from(label)]), {
    kind: 'label',
    owner: `parcel:${parcelId}`,
    type: 'application/pdf',
    name: `${news.trackingNumber}.pdf`,
  })
  if (!put.ok) throw new PermanentError(`The object store refused a label: ${put.reason}`)
  return { ...news, labelFile: put.file.key }
}

export async function recordBooking(scope: JobScope, { parcelId }: BookingJob, booking: Booking | null): Promise<void> {
  if (!booking) return
  if (!(await writeBooking(scope.db, parcelId, booking))) {
    await removeFile(scope.db, booking.labelFile)
    // Forgotten while it was being booked: the carrier was asked before it had the address.
    if (await isForgottenParcel(scope.db, parcelId)) await forgetAtCarrier(scope.db, [{ kind: 'parcel', reference: parcelId }])
    return
  }
  await recordNews(scope, booking)
}

async function consignmentOf({ db }: Pick<CallContext, 'db'>, parcelId: string): Promise<Consignment | null> {
  const parcel = await readParcel(db, parcelId)
  const order = parcel && parcel.trackingNumber === null ? await readOrder(db, parcel.customerOrderId) : undefined
  const part = order?.sellerOrders.find(({ id }) => id === parcel?.sellerOrderId)
  if (!parcel || !order || !part) return null
  const seller = (await knownSellers({ db }, [part.sellerId])).get(part.sellerId)
  const { daysMin, daysMax } = promiseOf(part) ?? usual
  const packed = (await quantitiesInParcels(db, [parcelId])).map(({ offerId, quantities }) => ({
    offerId,
    quantity: Object.values(quantities).reduce((all, pieces) => all + pieces, 0),
  }))
  const { firstName, lastName, company, line1, line2, postcode, city, country } = destinationOf(order, part)
  return {
    parcelId,
    market: order.market,
    sender: {
      name: part.seller.name,
      company: null,
      line1: seller?.address.line1 ?? '',
      line2: seller?.address.line2 ?? null,
      postcode: seller?.address.postcode ?? '',
      city: seller?.address.city ?? '',
      country: part.seller.country,
    },
    recipient: { name: `${firstName} ${lastName}`.trim(), company, line1, line2, postcode, city, country },
    pickUpPointId: part.pickUpPoint?.id ?? null,
    appointment: part.deliveryKind !== 'appointment' ? null : part.appointment ? slotTimes(order.market, part.appointment) : 'later',
    daysMin,
    daysMax,
    grams: await weightOfPieces(db, part, packed),
  }
}
