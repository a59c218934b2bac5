import type { PersonalAction } from '@purlin/contract/actions.ts'
import { needsPhone } from '@purlin/contract/delivery-phone.ts'
import { findOrder, quantityStates, readMoves, type LineQuantities, type OrderSeen, type RecordedMove, type SellerOrder } from '#orders'
import type { Scope } from '#platform'
import { freeReturnDays } from '#subscriptions'
import { heldPieces, returnablePieces } from './free-pieces.ts'
import { withdrawalDaysLeft, type ReturnCase } from './offered-return.ts'
import type { ReturnRequest } from './return-request.ts'
import { readReturnsOf } from './return-store.ts'

export interface Returnable {
  order: OrderSeen
  part: SellerOrder
  about: ReturnCase
  /** Pieces of each line that can be given back: those sent and not the subject of another return. */
  pieces: Map<string, number>
  returns: ReturnRequest[]
}

const dayMs = 86_400_000
/** On their way, or still to be sent. */
const awaited = ['pending', 'accepted', 'preparing', 'shipped'] as const

/** A seller's part of the principal's order with what can be given back; otherwise undefined (A6). */
export async function findReturnable(
  scope: Scope,
  action: PersonalAction,
  customerOrderId: string,
  sellerOrderId: string,
): Promise<Returnable | undefined> {
  const order = await findOrder(scope, action, customerOrderId)
  const part = order?.sellerOrders.find(({ id }) => id === sellerOrderId)
  if (!order || !part) return undefined
  const [states, moves, all, businessReturnDays] = await Promise.all([
    quantityStates(scope.db, [sellerOrderId]),
    readMoves(scope.db, [sellerOrderId]),
    readReturnsOf(scope.db, customerOrderId),
    // What was promised when it was bought. Orders from before that was stored have what applies today.
    order.mode === 'b2b' ? (order.freeReturnDays ?? freeReturnDays(scope, order.market)) : null,
  ])
  const returns = all.filter((each) => each.sellerOrderId === sellerOrderId)
  const returnable = returnablePieces(states, moves)
  const pieces = new Map(
    part.lines.map(({ offerId }) => [offerId, Math.max(0, (returnable.get(offerId) ?? 0) - heldPieces(returns, offerId))]),
  )
  // Before the table of moves existed the state of the payment stood for all; then the date of the order counts.
  const arrivals = moves.filter(({ to }) => to === 'delivered').map(({ at }) => at.getTime())
  const isUnderway = states.some(({ quantities }) => (quantities.shipped ?? 0) > 0)
  const awaitsGoods = states.some((line) => isLost(moves, line) || awaited.some((state) => (line.quantities[state] ?? 0) > 0))
  const last = arrivals.length > 0 ? Math.max(...arrivals) : (order.placedAt ?? order.createdAt).getTime()
  const about: ReturnCase = {
    market: order.market,
    buyer: order.mode === 'b2b' ? 'business' : 'consumer',
    daysSinceDelivery: isUnderway ? null : Math.max(0, Math.floor((scope.now.getTime() - last) / dayMs)),
    withdrawalDaysLeft: awaitsGoods ? null : withdrawalDaysLeft(order.market, new Date(last), scope.now),
    businessReturnDays,
    isBulky: needsPhone(part.deliveryKind),
    isReplacement: order.replaces != null,
  }
  return { order, part, about, pieces, returns }
}

/** Whether a piece of the line was lost on its way and has neither been found nor paid back. */
function isLost(moves: readonly RecordedMove[], { offerId, quantities }: LineQuantities): boolean {
  const wasLost = moves.some((move) => move.offerId === offerId && move.from === 'shipped' && move.to === 'incident-open')
  return wasLost && (quantities['incident-open'] ?? 0) > 0
}
