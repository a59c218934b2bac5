import type { EventPayloads } from '#events'
import { newId, on, type JobScope } from '#platform'
import { requestRefund } from '#refunds'
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
]
