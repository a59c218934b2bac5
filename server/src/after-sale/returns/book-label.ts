import { Readable } from 'node:stream'
import { putFile, removeFile } from '#files'
import { carrierOfShop, forgetAtCarrier, weightOfPieces } from '#fulfilment'
import { readOrder } from '#orders'
import { PermanentError, type CallContext, type JobScope } from '#platform'
import { knownSellers } from '#sellers'
import type { ReturnJob } from './arrange-way-back.ts'
import { labelReference, placeOf } from './consignment.ts'
import { notifyReturn } from './notify-return.ts'
import { isForgottenReturn, readAnyReturn, writeLabel } from './return-store.ts'

interface Label {
  round: number
  labelFile: string
  trackingNumber: string
}

/** The carrier's days from door to door: what a label of the cheapest rate promises. */
const usual = { daysMin: 2, daysMax: 4 }

/** Books the way back with the shop's carrier and stores its label; booked again after a crash, it stays one parcel. */
export async function bookLabel({ db, signal }: CallContext, { requestId }: ReturnJob): Promise<Label | null> {
  const carrier = carrierOfShop()
  if (!carrier) throw new PermanentError('The shop has no carrier')
  const request = await readAnyReturn(db, requestId)
  const order = request && request.labelFile === null ? await readOrder(db, request.customerOrderId) : undefined
  const part = order?.sellerOrders.find(({ id }) => id === request?.sellerOrderId)
  const seller = part && (await knownSellers({ db }, [part.sellerId])).get(part.sellerId)
  if (!request || !order || !part || !seller) return null
  const { line1 = '', line2 = null, postcode = '', city = '' } = seller.address
  const { label, trackingNumber } = await carrier.book(
    {
      parcelId: labelReference(requestId, request.labelRound),
      market: order.market,
      sender: placeOf(order.address),
      recipient: { name: part.seller.name, company: null, line1, line2, postcode, city, country: part.seller.country },
      pickUpPointId: null,
      appointment: null,
      ...usual,
      grams: await weightOfPieces(db, part, request.lines),
    },
    { signal },
  )
  const put = await putFile(db, Readable.from([Buffer.from(label)]), {
    kind: 'label',
    owner: `return:${requestId}`,
    type: 'application/pdf',
    name: `${trackingNumber}.pdf`,
  })
  if (!put.ok) throw new PermanentError(`The object store refused a label: ${put.reason}`)
  return { round: request.labelRound, labelFile: put.file.key, trackingNumber }
}

export async function recordLabel(scope: JobScope, { requestId }: ReturnJob, label: Label | null): Promise<void> {
  if (!label) return
  const request = (await writeLabel(scope.db, requestId, label)) ? await readAnyReturn(scope.db, requestId) : undefined
  if (request) return notifyReturn(scope, request, request.labelRound > 0 ? 'new-label' : 'label')
  await removeFile(scope.db, label.labelFile)
  // Forgotten while it was being booked: the carrier was asked before it had the address.
  if (await isForgottenReturn(scope.db, requestId))
    await forgetAtCarrier(scope.db, [{ kind: 'parcel', reference: labelReference(requestId, label.round) }])
}
