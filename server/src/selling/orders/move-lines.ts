import { giveBackPieces } from '#catalogue'
import type { EventType } from '#events'
import type { JobScope } from '#platform'
import {
  applyMoves,
  outcomeOf,
  stateOfSellerOrder,
  sumQuantities,
  type LineMove,
  type LineQuantities,
  type MoveRefusal,
} from './line-moves.ts'
import { appendMoves, lockPart, quantityStates, type LockedPart, type MoveCause } from './line-move-store.ts'
import type { Actor, SellerOrderState } from './order-states.ts'

export interface Moving extends MoveCause {
  sellerOrderId: string
  /** The pieces to move, given the quantities as they are under the lock. */
  moves: readonly LineMove[] | ((lines: readonly LineQuantities[]) => readonly LineMove[] | Promise<readonly LineMove[]>)
}

export type Moved =
  | { ok: true; part: LockedPart; moves: readonly LineMove[]; lines: LineQuantities[]; state: SellerOrderState }
  | { ok: false; reason: MoveRefusal | 'unknown-order' | 'order-not-paid' | 'nothing-to-move' }

type SellerOrderEvent = Extract<EventType, `seller-order.${string}`>
const eventOf: Partial<Record<SellerOrderState, SellerOrderEvent>> = {
  accepted: 'seller-order.accepted',
  refused: 'seller-order.refused',
  shipped: 'seller-order.shipped',
  delivered: 'seller-order.delivered',
  'incident-open': 'seller-order.incident-opened',
  closed: 'seller-order.closed',
  cancelled: 'seller-order.cancelled',
}
/** Pieces that go back a step are no news. */
const isNews = ({ from, to }: LineMove) => !(to === 'accepted' && from === 'preparing')

const goesOn: ReadonlySet<SellerOrderState> = new Set(['accepted', 'preparing', 'shipped'])
/** Of a refunded order the goods must not be handed over any more; what the carrier reports has happened, and a parcel may be unpacked. */
const handsOver = (actor: Actor, moves: readonly LineMove[]) =>
  actor !== 'carrier' && moves.some(({ from, to }) => goesOn.has(to) && !(from === 'preparing' && to === 'accepted'))

/**
 * Moves pieces of a seller order: all of them or none. The caller has checked the permission; the
 * states are checked here, under the lock of the seller order. Refused and cancelled pieces return to stock, unless the
 * seller says there are none. Emits one event per state reached.
 */
export async function moveLines(scope: JobScope, { sellerOrderId, moves: wanted, ...cause }: Moving): Promise<Moved> {
  const part = await lockPart(scope.db, sellerOrderId)
  if (!part) return { ok: false, reason: 'unknown-order' }
  const { customerOrderId, market, orderState } = part
  const before = await quantityStates(scope.db, [sellerOrderId])
  const moves = typeof wanted === 'function' ? await wanted(before) : wanted
  if (moves.length === 0) return { ok: false, reason: 'nothing-to-move' }
  if (['draft', 'awaiting-payment', 'authorised', 'cancelled'].includes(orderState)) return { ok: false, reason: 'order-not-paid' }
  if (orderState === 'refunded' && handsOver(cause.actor, moves)) return { ok: false, reason: 'order-not-paid' }
  const lines = applyMoves(before, moves, cause.actor)
  if (typeof lines === 'string') return { ok: false, reason: lines }

  await appendMoves(scope.db, sellerOrderId, { moves, outcome: outcomeOf(sumQuantities(lines)) }, cause, scope.now)
  const unsold = piecesOf(moves.filter(({ to }) => to === 'refused' || to === 'cancelled'))
  if (unsold.length > 0)
    for (const left of await giveBackPieces(scope.db, customerOrderId, unsold, { exist: cause.reason !== 'out-of-stock' }))
      scope.emit('stock.changed', left)
  const { actor, reason, parcelId = null } = cause
  for (const [to, own = []] of Object.entries(Object.groupBy(moves.filter(isNews), ({ to }) => to))) {
    const type = eventOf[to as SellerOrderState]
    if (type) scope.emit(type, { customerOrderId, sellerOrderId, market, lines: piecesOf(own), actor, reason, parcelId })
  }
  return { ok: true, part, moves, lines, state: stateOfSellerOrder(sumQuantities(lines)) }
}

/** Pieces per offer: several moves of one line count together. */
function piecesOf(moves: readonly LineMove[]): { offerId: string; quantity: number }[] {
  const sum = new Map<string, number>()
  for (const { offerId, quantity } of moves) sum.set(offerId, (sum.get(offerId) ?? 0) + quantity)
  return [...sum].map(([offerId, quantity]) => ({ offerId, quantity }))
}
