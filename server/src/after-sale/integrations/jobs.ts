import type { EventPayloads } from '#events'
import { readConversation } from '#messages'
import { sellerOfPart } from '#orders'
import { every, job, on, type JobScope } from '#platform'
import { followRound, sendRound, type Round, type RoundResult } from './send-round.ts'
import { joinRound, tellOfPaid, tellSeller, type Deliver } from './send-webhooks.ts'
import type { WebhookEvent } from './webhook.ts'
import { forgetDeliveries } from './webhook-store.ts'

type Moved = Extract<keyof EventPayloads, `seller-order.${string}`>
type EventOfPieces = Exclude<Extract<WebhookEvent, `order.${string}`>, 'order.paid'>

const told = <Type extends Moved>(type: Type, event: EventOfPieces) =>
  on(type, 'integrations.tell', {
    commit: (scope: JobScope, { sellerOrderId, customerOrderId, market, lines, actor, reason, parcelId }: EventPayloads[Moved]) =>
      tellSeller(scope, sellerOfPart(sellerOrderId), event, {
        orderId: sellerOrderId,
        customerOrderId,
        market,
        lines,
        actor,
        reason,
        parcelId,
      }),
  })

export const handlers = [
  on('order.paid', 'integrations.tell', { commit: tellOfPaid }),
  told('seller-order.accepted', 'order.accepted'),
  told('seller-order.refused', 'order.refused'),
  told('seller-order.shipped', 'order.shipped'),
  told('seller-order.delivered', 'order.delivered'),
  told('seller-order.incident-opened', 'order.incident-opened'),
  told('seller-order.closed', 'order.closed'),
  told('seller-order.cancelled', 'order.cancelled'),
  on('refund.requested', 'integrations.tell', {
    commit: (scope, { refundId, customerOrderId, sellerOrderId }) =>
      tellSeller(scope, sellerOfPart(sellerOrderId), 'refund.requested', { refundId, customerOrderId, orderId: sellerOrderId }),
  }),
  on('message.written', 'integrations.tell', {
    commit: async (scope, { conversationId, author, seq }) => {
      const known = author === 'seller' ? undefined : await readConversation(scope.db, conversationId)
      if (known) await tellSeller(scope, known.sellerId, 'message.written', { orderId: known.sellerOrderId, author, seq })
    },
  }),
  on('return.changed', 'integrations.tell', {
    commit: (scope, { sellerOrderId, ...facts }) =>
      tellSeller(scope, sellerOfPart(sellerOrderId), 'return.changed', { ...facts, orderId: sellerOrderId }),
  }),
  on('quote.changed', 'integrations.tell', {
    commit: (scope, { sellerId, ...facts }) => tellSeller(scope, sellerId, 'quote.changed', facts),
  }),
  on('dispute.changed', 'integrations.tell', {
    commit: (scope, { sellerOrderId, ...facts }) =>
      tellSeller(scope, sellerOfPart(sellerOrderId), 'dispute.changed', { ...facts, orderId: sellerOrderId }),
  }),
]

export const jobs = [
  job<Deliver>('integrations.deliver', { commit: joinRound }),
  job<Round, RoundResult>('integrations.send-round', { call: sendRound, commit: followRound }, 'strangers'),
]

const keptMs = 30 * 86_400_000

export const schedules = [
  every(3_600_000, 'integrations.forget-deliveries', async ({ db, now }) => {
    await forgetDeliveries(db, firstIdOf(new Date(now.getTime() - keptMs)))
  }),
]

/** The smallest id of a moment. */
function firstIdOf(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}
