import { moveLines, type SellerOrderState } from '#orders'
import type { JobScope } from '#platform'
import type { Dispute, DisputeAction, DisputeActor } from './dispute.ts'

interface Ending {
  action: DisputeAction
  actor: DisputeActor
  refundId: string | null
}

/**
 * Goods that have not arrived leave their incident with the dispute about them: the seller sends them again if that was agreed, otherwise
 * they are closed. An incident that nothing ends would keep the seller from being paid for what has arrived.
 */
export async function endIncident(
  scope: JobScope,
  { id, sellerOrderId, reason, wish }: Pick<Dispute, 'id' | 'sellerOrderId' | 'reason' | 'wish'>,
  { action, actor, refundId }: Ending,
): Promise<void> {
  if (reason !== 'not-received') return
  const isSentAgain = action === 'agree' && wish === 'replacement'
  const to: SellerOrderState = isSentAgain ? 'accepted' : 'closed'
  const moved = await moveLines(scope, {
    sellerOrderId,
    // A buyer accepts an offer, and the system carries it out.
    actor: actor === 'buyer' ? 'system' : actor,
    reason: isSentAgain ? 'sent-again' : refundId === null ? 'dispute-ended' : 'refunded-in-dispute',
    moves: (lines) =>
      lines.flatMap(({ offerId, quantities: { 'incident-open': quantity = 0 } }) =>
        quantity > 0 ? [{ offerId, quantity, from: 'incident-open', to }] : [],
      ),
  })
  if (!moved.ok && moved.reason !== 'nothing-to-move')
    scope.log.warn({ disputeId: id, reason: moved.reason }, 'an incident outlives the dispute about it')
}
