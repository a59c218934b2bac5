import { incidentsOf, type Incident } from '#fulfilment'
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

/** Moves pieces out of their incident: they are closed, or accepted again to be sent once more. */
export async function leaveIncident(scope: JobScope, { sellerOrderId, actor, reason, to, pieces }: Leaving): Promise<Moved> {
  const { db } = scope
  if (!(await lockPart(db, sellerOrderId))) return { ok: false, reason: 'unknown-order' }
  const lines = await quantityStates(db, [sellerOrderId])
  const incidents = incidentsOf(lines, await readMoves(db, [sellerOrderId]))
  const leaving = pieces(incidents, lines)
  if (leaving.length === 0) return { ok: false, reason: 'nothing-to-move' }
  const moves = leaving.map(({ offerId, quantity }): LineMove => ({ offerId, quantity, from: 'incident-open', to }))
  return moveLines(scope, { sellerOrderId, actor, reason, moves })
}
