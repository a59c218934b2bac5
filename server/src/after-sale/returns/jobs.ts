import type { EventPayloads } from '#events'
import { job, newId, on, type JobScope } from '#platform'
import { requestRefund } from '#refunds'
import type { ReturnJob } from './arrange-way-back.ts'
import { bookLabel, followReturnParcel, recordLabel } from './book-label.ts'
import { endCollection, followCollection, recordBooked, tellCarrier } from './collection-jobs.ts'
import { closeOvertaken } from './decide-cancellation.ts'

/** Pieces that will not be delivered are refunded in full. Each event is handled once, so each is a refund of its own. */
async function refundUndelivered(
  scope: JobScope,
  { customerOrderId, sellerOrderId, lines }: EventPayloads['seller-order.cancelled'],
): Promise<void> {
  await requestRefund(scope, { customerOrderId, sellerOrderId, cause: 'cancellation', key: `cancellation:${newId()}`, units: lines })
  await closeOvertaken(scope, sellerOrderId)
}

export const handlers = [
  on('seller-order.cancelled', 'returns.refund-cancelled', { commit: refundUndelivered }),
  on('seller-order.refused', 'returns.refund-refused', { commit: refundUndelivered }),
  on('seller-order.shipped', 'returns.close-overtaken', { commit: (scope, { sellerOrderId }) => closeOvertaken(scope, sellerOrderId) }),
  on('return.changed', 'returns.end-collection', { commit: endCollection }),
  on('collection.reported', 'returns.follow-collection', { commit: followCollection }),
  on('foreign-parcel.reported', 'returns.follow-parcel', { commit: followReturnParcel }),
]

export const jobs = [
  job<ReturnJob, Awaited<ReturnType<typeof bookLabel>>>('returns.book-label', { call: bookLabel, commit: recordLabel }),
  job<ReturnJob, Awaited<ReturnType<typeof tellCarrier>>>('returns.arrange-collection', { call: tellCarrier, commit: recordBooked }),
]
