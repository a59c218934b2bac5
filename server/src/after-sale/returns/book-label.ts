import { Readable } from 'node:stream'
import type { EventPayloads } from '#events'
import { putFile, removeFile } from '#files'
import { carrierOfShop, forgetAtCarrier, weightOfPieces } from '#fulfilment'
import { readOrder } from '#orders'
import { PermanentError, type CallContext, type JobScope } from '#platform'
import { knownSellers } from '#sellers'
import type { ReturnJob } from './arrange-way-back.ts'
import { placeOf } from './consignment.ts'
import { notifyReturn } from './notify-return.ts'
import { isForgottenReturn, readAnyReturn, readReturnByTracking, writeLabel, writeReturnStep } from './return-store.ts'

interface Label {
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
      parcelId: requestId,
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
  return { labelFile: put.file.key, trackingNumber }
}

export async function recordLabel(scope: JobScope, { requestId }: ReturnJob, label: Label | null): Promise<void> {
  if (!label) return
  const request = (await writeLabel(scope.db, requestId, label)) ? await readAnyReturn(scope.db, requestId) : undefined
  if (request) return notifyReturn(scope, request, 'label')
  await removeFile(scope.db, label.labelFile)
  // Forgotten while it was being booked: the carrier was asked before it had the address.
  if (await isForgottenReturn(scope.db, requestId)) await forgetAtCarrier(scope.db, [{ kind: 'parcel', reference: requestId }])
}

/** The carrier has the parcel: the buyer need not say so. If it brings the parcel back to the buyer, that was no hand-over. */
export async function followReturnParcel(
  scope: JobScope,
  { trackingNumber, kinds }: EventPayloads['foreign-parcel.reported'],
): Promise<void> {
  if (!kinds.some((kind) => kind !== 'registered')) return
  const request = await readReturnByTracking(scope.db, trackingNumber)
  if (!request || (request.state !== 'label-sent' && request.state !== 'in-transit')) return
  const { id: returnId, customerOrderId, sellerOrderId, state: from, isCarried } = request
  const to = kinds.includes('returned') ? 'label-sent' : 'in-transit'
  if ((to === 'label-sent' && from === to) || (to === 'in-transit' && isCarried)) return
  if (!(await writeReturnStep(scope.db, returnId, { from, to, actor: 'system' }))) return
  if (from !== to) scope.emit('return.changed', { returnId, customerOrderId, sellerOrderId, state: to })
}
