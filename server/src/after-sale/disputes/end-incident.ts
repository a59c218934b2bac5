import { moveLines, type LineQuantities, type SellerOrder, type SellerOrderState } from '#orders'
import type { JobScope } from '#platform'
import type { Dispute, DisputeAction, DisputeActor, DisputeReason } from './dispute.ts'

interface Ending {
  action: DisputeAction
  actor: DisputeActor
  /** What goes back to the buyer, in minor units. */
  refunded: number
}

/** Of two parcels, a lost one is what is missing from the order. */
const aboutMissingGoods: ReadonlySet<DisputeReason> = new Set(['not-received', 'incomplete'])

/**
 * Goods that have not arrived leave their incident with the dispute about them: the seller sends them again if that was agreed; they are
 * closed if all of them were paid back, or if the decision is that nothing is. Anything less, such as money for a delay, leaves the
 * incident open: the goods may still arrive, and until then the seller is not paid.
 */
export async function endIncident(
  scope: JobScope,
  part: Pick<SellerOrder, 'lines'>,
  { id, sellerOrderId, reason, wish }: Pick<Dispute, 'id' | 'sellerOrderId' | 'reason' | 'wish'>,
  { action, actor, refunded }: Ending,
): Promise<void> {
  if (!aboutMissingGoods.has(reason)) return
  const isSentAgain = action === 'agree' && wish === 'replacement'
  const isDecided = action === 'decide' || action === 'finish'
  const ends = (lines: readonly LineQuantities[]) => isSentAgain || (refunded === 0 ? isDecided : refunded >= paidFor(part, lines))
  const to: SellerOrderState = isSentAgain ? 'accepted' : 'closed'
  const moved = await moveLines(scope, {
    sellerOrderId,
    // A buyer accepts an offer, and the system carries it out.
    actor: actor === 'buyer' ? 'system' : actor,
    reason: isSentAgain ? 'sent-again' : refunded === 0 ? 'dispute-ended' : 'refunded-in-dispute',
    moves: (lines) =>
      ends(lines)
        ? lines.flatMap(({ offerId, quantities: { 'incident-open': quantity = 0 } }) =>
            quantity > 0 ? [{ offerId, quantity, from: 'incident-open', to }] : [],
          )
        : [],
  })
  if (!moved.ok && moved.reason !== 'nothing-to-move')
    scope.log.warn({ disputeId: id, reason: moved.reason }, 'an incident outlives the dispute about it')
}

/** What was paid for the goods in the incident, without delivery. */
function paidFor(part: Pick<SellerOrder, 'lines'>, lines: readonly LineQuantities[]): number {
  return lines.reduce((sum, { offerId, quantities }) => {
    const line = part.lines.find((each) => each.offerId === offerId)
    const missing = quantities['incident-open'] ?? 0
    return line ? sum + Math.floor(((line.total - line.discount) * missing) / line.quantity) : sum
  }, 0)
}
