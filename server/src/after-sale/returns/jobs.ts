import type { EventPayloads } from '#events'
import type { CarrierNews } from '#fulfilment'
import { every, job, newId, on, type JobScope } from '#platform'
import { requestRefund } from '#refunds'
import type { ReturnJob } from './arrange-way-back.ts'
import { askCarrier, askCarrierForAWhile, followAnswer } from './ask-carrier.ts'
import { bookLabel, recordLabel } from './book-label.ts'
import { endCollection, followCollection, recordBooked, tellCarrier } from './collection-jobs.ts'
import { closeOvertaken } from './decide-cancellation.ts'
import { endAwaited, remindOfAwaited, remindOfUnseen, type AwaitedJob } from './end-awaited.ts'
import { followReturnParcel } from './follow-parcel.ts'
import { followSentBack } from './follow-sent-back.ts'
import { forgetOldWaysBack } from './forget-ways-back.ts'
import { lapseReturns } from './lapse-returns.ts'

/** Pieces that will not be delivered are refunded in full. Each event is handled once, so each is a refund of its own. */
async function refundUndelivered(
  scope: JobScope,
  { customerOrderId, sellerOrderId, lines }: EventPayloads['seller-order.cancelled'],
): Promise<void> {
  await requestRefund(scope, { customerOrderId, sellerOrderId, cause: 'cancellation', key: `cancellation:${newId()}`, units: lines })
  await closeOvertaken(scope, sellerOrderId)
}

export const handlers = [
  on('seller-order.incident-opened', 'returns.refund-uncollected', { commit: followSentBack }),
  on('seller-order.cancelled', 'returns.refund-cancelled', { commit: refundUndelivered }),
  on('seller-order.refused', 'returns.refund-refused', { commit: refundUndelivered }),
  on('seller-order.shipped', 'returns.close-overtaken', { commit: (scope, { sellerOrderId }) => closeOvertaken(scope, sellerOrderId) }),
  on('return.changed', 'returns.end-collection', { commit: endCollection }),
  on('collection.reported', 'returns.follow-collection', { commit: followCollection }),
  on('foreign-parcel.reported', 'returns.follow-parcel', { commit: followReturnParcel }),
]

export const jobs = [
  job<ReturnJob, Awaited<ReturnType<typeof bookLabel>>>('returns.book-label', { call: bookLabel, commit: recordLabel }, 'services'),
  job<ReturnJob, Awaited<ReturnType<typeof tellCarrier>>>(
    'returns.arrange-collection',
    { call: tellCarrier, commit: recordBooked },
    'services',
  ),
  job<ReturnJob, CarrierNews | null>(
    'returns.ask-carrier',
    { call: askCarrier, commit: (scope, _job, news) => followAnswer(scope, news) },
    'services',
  ),
  job<AwaitedJob, CarrierNews | null>('returns.remind-of-unseen', { call: askCarrierForAWhile, commit: remindOfUnseen }, 'services'),
  job<AwaitedJob, CarrierNews | null>('returns.end-awaited', { call: askCarrierForAWhile, commit: endAwaited }, 'services'),
]

export const schedules = [
  every(3_600_000, 'returns.lapse', lapseReturns),
  every(3_600_000, 'returns.remind-of-awaited', remindOfAwaited),
  every(3_600_000, 'returns.forget-old', forgetOldWaysBack),
]
