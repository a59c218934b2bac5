import type { Incident } from '#fulfilment'
import { readMoves, readOrder, type SellerOrder } from '#orders'
import type { JobScope } from '#platform'
import type { Dispute, DisputeAction, DisputeActor, DisputeReason } from './dispute.ts'
import { leaveIncident } from './leave-incident.ts'
import { paidFor } from './paid-back.ts'
import { readDisputesOfOrder, readSteps } from './store.ts'

interface Ending {
  action: DisputeAction
  actor: DisputeActor
  /** What goes back to the buyer, in minor units. */
  refunded: number
}

/** Of two parcels, a lost one is what is missing from the order. */
const aboutMissingGoods: ReadonlySet<DisputeReason> = new Set(['not-received', 'incomplete'])

const endings = { sentAgain: 'sent-again', refunded: 'refunded-in-dispute', decided: 'dispute-ended' } as const
const isEnding: ReadonlySet<string> = new Set(Object.values(endings))

/**
 * Goods that have not arrived leave their incident with the dispute about them: the seller sends them again if that was agreed; they are
 * closed if all of them were paid back, or if the decision is that nothing is. Anything less, such as money for a delay, leaves the
 * incident open: the goods may still arrive, and until then the seller is not paid. A replacement that the seller does not have in stock
 * is refused, and one of goods that the buyer is returning, whose price goes back with the return.
 */
export async function endIncident(
  scope: JobScope,
  part: Pick<SellerOrder, 'lines'>,
  { id, sellerOrderId, reason, wish }: Pick<Dispute, 'id' | 'sellerOrderId' | 'reason' | 'wish'>,
  { action, actor, refunded }: Ending,
): Promise<{ ok: true } | { ok: false; reason: 'out-of-stock' | 'return-under-way' }> {
  if (!aboutMissingGoods.has(reason)) return { ok: true }
  const isSentAgain = action === 'agree' && wish === 'replacement'
  const isDecided = action === 'decide' || action === 'finish'
  const ends = (incidents: readonly Incident[]) => isSentAgain || (refunded === 0 ? isDecided : refunded >= paidFor(part, incidents))
  const left = await leaveIncident(scope, {
    sellerOrderId,
    // A buyer accepts an offer, and the system carries it out.
    actor: actor === 'buyer' ? 'system' : actor,
    reason: isSentAgain ? endings.sentAgain : refunded === 0 ? endings.decided : endings.refunded,
    to: isSentAgain ? 'accepted' : 'closed',
    pieces: (incidents) => (ends(incidents) ? incidents : []),
  })
  if (left.ok || left.reason === 'nothing-to-move') return { ok: true }
  if (left.reason === 'out-of-stock' || left.reason === 'return-under-way') return { ok: false, reason: left.reason }
  scope.log.warn({ disputeId: id, reason: left.reason }, 'an incident outlives the dispute about it')
  return { ok: true }
}

/**
 * A parcel that is reported as lost after the dispute about it has ended: what was agreed on or decided holds for it as well, once. A
 * decision that gives nothing does not, since it did not know of the loss; a replacement does not while there is none in stock.
 */
export async function endLaterIncident(
  scope: JobScope,
  { customerOrderId, sellerOrderId }: { customerOrderId: string; sellerOrderId: string },
): Promise<void> {
  const about = (await readDisputesOfOrder(scope.db, customerOrderId)).filter((dispute) => dispute.sellerOrderId === sellerOrderId)
  const dispute = about.at(-1)
  if (!dispute?.endedAt || dispute.state === 'withdrawn') return
  const { endedAt } = dispute
  const [steps, moves, order] = await Promise.all([
    readSteps(scope.db, dispute.id),
    readMoves(scope.db, [sellerOrderId]),
    readOrder(scope.db, customerOrderId),
  ])
  const part = order?.sellerOrders.find(({ id }) => id === sellerOrderId)
  const last = steps.at(-1)
  const refunded = dispute.refundId === null ? 0 : (last?.amount ?? 0)
  const isUsed = moves.some(({ reason, at }) => isEnding.has(reason) && at >= endedAt)
  if (!part || !last || isUsed || (refunded === 0 && last.action !== 'agree')) return
  await endIncident(scope, part, dispute, { action: last.action, actor: last.actor, refunded })
}
