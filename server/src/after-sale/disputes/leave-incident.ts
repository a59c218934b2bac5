import { replacePieces } from '#catalogue'
import { incidentsByReason, incidentsOf, isBackWithSeller, type Incident, type IncidentPieces } from '#fulfilment'
import { lockPart, moveLines, quantityStates, readMoves, type Actor, type LineMove, type LineQuantities, type Moved } from '#orders'
import type { JobScope } from '#platform'
import { maySendAgain, readReturnsOf } from '#returns'

export interface Leaving {
  sellerOrderId: string
  actor: Actor
  reason: string
  /** Closed for good, or sent again. */
  to: 'closed' | 'accepted'
  /** The pieces that leave it, given the incidents as they are under the lock, also by reason. */
  pieces: (
    incidents: readonly Incident[],
    lines: readonly LineQuantities[],
    byReason: readonly IncidentPieces[],
  ) => readonly { offerId: string; quantity: number }[]
}
export type Left = Moved | { ok: false; reason: 'out-of-stock' | 'return-under-way' }

/**
 * Moves pieces out of their incident. Those that are sent again are taken from stock in place of the lost ones, all or none; those that
 * have come back to the seller are sent themselves. Not those that the buyer returns: their price goes back with the return.
 */
export async function leaveIncident(scope: JobScope, { sellerOrderId, actor, reason, to, pieces }: Leaving): Promise<Left> {
  const { db } = scope
  const part = await lockPart(db, sellerOrderId)
  if (!part) return { ok: false, reason: 'unknown-order' }
  const lines = await quantityStates(db, [sellerOrderId])
  const before = await readMoves(db, [sellerOrderId])
  const byReason = incidentsByReason(lines, before)
  const leaving = byOffer(pieces(incidentsOf(lines, before), lines, byReason))
  if (leaving.length === 0) return { ok: false, reason: 'nothing-to-move' }
  if (to === 'accepted') {
    if (part.orderState === 'refunded') return { ok: false, reason: 'order-not-paid' }
    const returns = (await readReturnsOf(db, part.customerOrderId)).filter((each) => each.sellerOrderId === sellerOrderId)
    if (!maySendAgain(leaving, { lines, moves: before, returns })) return { ok: false, reason: 'return-under-way' }
    const replaced = leaving.flatMap(({ offerId, quantity }) => {
      const back = byReason.reduce((sum, each) => sum + (each.offerId === offerId && isBackWithSeller(each) ? each.quantity : 0), 0)
      return quantity > back ? [{ offerId, quantity: quantity - back }] : []
    })
    const left = await replacePieces(db, replaced)
    if (left.length < replaced.length) return { ok: false, reason: 'out-of-stock' }
    for (const each of left) scope.emit('stock.changed', each)
  }
  const moves = leaving.map(({ offerId, quantity }): LineMove => ({ offerId, quantity, from: 'incident-open', to }))
  const moved = await moveLines(scope, { sellerOrderId, actor, reason, moves })
  // The rollback returns the pieces to stock.
  if (!moved.ok && to === 'accepted') throw new Error(`Pieces of ${sellerOrderId} cannot be sent again: ${moved.reason}`)
  return moved
}

function byOffer(pieces: readonly { offerId: string; quantity: number }[]): { offerId: string; quantity: number }[] {
  const sums = new Map<string, number>()
  for (const { offerId, quantity } of pieces) sums.set(offerId, (sums.get(offerId) ?? 0) + quantity)
  return [...sums].map(([offerId, quantity]) => ({ offerId, quantity }))
}
