import { replacePieces } from '#catalogue'
import { incidentsOf, isBackWithSeller, type Incident } from '#fulfilment'
import { lockPart, moveLines, quantityStates, readMoves, type Actor, type LineMove, type LineQuantities, type Moved } from '#orders'
import type { JobScope } from '#platform'

export interface Leaving {
  sellerOrderId: string
  actor: Actor
  reason: string
  /** Closed for good, or sent again. */
  to: 'closed' | 'accepted'
  /** The pieces that leave it, given the incidents as they are under the lock. */
  pieces: (incidents: readonly Incident[], lines: readonly LineQuantities[]) => readonly { offerId: string; quantity: number }[]
}
export type Left = Moved | { ok: false; reason: 'out-of-stock' }

/**
 * Moves pieces out of their incident. Those that are sent again are taken from stock in place of the lost ones, all or none; those that
 * have come back to the seller are sent themselves.
 */
export async function leaveIncident(scope: JobScope, { sellerOrderId, actor, reason, to, pieces }: Leaving): Promise<Left> {
  const { db } = scope
  const part = await lockPart(db, sellerOrderId)
  if (!part) return { ok: false, reason: 'unknown-order' }
  const lines = await quantityStates(db, [sellerOrderId])
  const incidents = incidentsOf(lines, await readMoves(db, [sellerOrderId]))
  const leaving = pieces(incidents, lines)
  if (leaving.length === 0) return { ok: false, reason: 'nothing-to-move' }
  if (to === 'accepted') {
    if (part.orderState === 'refunded') return { ok: false, reason: 'order-not-paid' }
    const lost = new Set(incidents.flatMap((incident) => (isBackWithSeller(incident) ? [] : [incident.offerId])))
    const replaced = leaving.filter(({ offerId }) => lost.has(offerId))
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
