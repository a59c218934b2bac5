import * as v from 'valibot'
import { disputeStates } from '#disputes'
import { quoteStates } from '#quotes'
import { returnStates } from '#returns'
import { id, market, offerId, orderId, quantity, time } from './schemas.ts'
import type { WebhookEvent } from './webhook.ts'

const customerOrderId = v.string()
const pieces = v.object({
  orderId,
  customerOrderId,
  market,
  lines: v.array(v.object({ offerId, quantity })),
  actor: v.picklist(['buyer', 'seller', 'system', 'provider', 'carrier', 'operator']),
  reason: v.pipe(v.string(), v.description('A code, which may be new')),
  parcelId: v.pipe(v.nullable(id), v.description('The parcel that carries the pieces')),
})

/** The `data` of each event: ids alone, by which the objects are read with the key. */
export const webhookData = {
  'order.paid': v.object({ orderId, customerOrderId, market }),
  'order.accepted': pieces,
  'order.refused': pieces,
  'order.shipped': pieces,
  'order.delivered': pieces,
  'order.incident-opened': pieces,
  'order.closed': pieces,
  'order.cancelled': pieces,
  'refund.requested': v.object({ refundId: id, customerOrderId, orderId }),
  'message.written': v.object({ orderId, author: v.picklist(['buyer', 'operator']), seq: v.number() }),
  'return.changed': v.object({ returnId: id, customerOrderId, orderId, state: v.picklist(returnStates) }),
  'dispute.changed': v.object({ disputeId: id, customerOrderId, orderId, state: v.picklist(disputeStates) }),
  'quote.changed': v.object({ quoteId: id, state: v.picklist(quoteStates) }),
} satisfies Record<WebhookEvent, v.GenericSchema>

/** Payloads of events name states as text, hence the values are not narrowed. */
export type WebhookData<Event extends WebhookEvent> = Record<keyof v.InferOutput<(typeof webhookData)[Event]>, unknown>

/** The body of a message about an event. */
export function webhookBody(event: WebhookEvent): v.GenericSchema {
  return v.object({
    type: v.literal(event),
    timestamp: v.pipe(time, v.description('When the message was written')),
    data: webhookData[event],
  })
}
