import { needsPhone } from '@purlin/contract/delivery-phone.ts'
import { carrierOfShop } from '#fulfilment'
import {
  quantityStates,
  readMoves,
  readReplaced,
  type CustomerOrder,
  type LineQuantities,
  type RecordedMove,
  type SellerOrder,
} from '#orders'
import type { Db, JobScope, Scope } from '#platform'
import { freeReturnDays } from '#subscriptions'
import { withdrawalDaysLeft, type ReturnCase } from './offered-return.ts'
import { readReturnsOf } from './return-store.ts'

const dayMs = 86_400_000
/** On their way, or still to be sent. */
const awaited = ['pending', 'accepted', 'preparing', 'shipped'] as const

interface History {
  states: readonly LineQuantities[]
  moves: readonly RecordedMove[]
}

/** Operations know the acting company and its terms of today; jobs do not. */
type Acting = Scope | Pick<JobScope, 'db' | 'now'>

/** The facts on which the returns offered for a seller order depend, with its pieces and moves. */
export async function findReturnCase(
  scope: Acting,
  order: CustomerOrder,
  { id, deliveryKind }: SellerOrder,
): Promise<History & { about: ReturnCase }> {
  const [states, moves, businessReturnDays, bought] = await Promise.all([
    quantityStates(scope.db, [id]),
    readMoves(scope.db, [id]),
    // The terms of the purchase; for orders from before these were stored, today's.
    order.mode === 'b2b' ? (order.freeReturnDays ?? ('principal' in scope ? freeReturnDays(scope, order.market) : null)) : null,
    order.replaces == null ? undefined : findFirstCase(scope, order),
  ])
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
    isCollected: needsPhone(deliveryKind) && carrierOfShop() !== null,
    bought,
  }
  return { states, moves, about }
}

/**
 * The case of the order with which the goods were bought that this one brings back, repaired or after a refused claim; null for other
 * goods in their place, and for goods that the right of withdrawal excepts.
 */
async function findFirstCase(scope: Acting, order: CustomerOrder): Promise<NonNullable<ReturnCase['bought']> | null> {
  const own = await findOwn(scope.db, order)
  if (!own) return null
  const { first, returns, back } = own
  const isOf = (lines: typeof back.lines) => lines.some(({ offerId }) => back.lines.some((line) => line.offerId === offerId))
  if (returns.some(({ exception, lines }) => exception !== null && isOf(lines))) return null
  const { about } = await findReturnCase(scope, first.order, first.part)
  return about.bought === undefined ? about : about.bought
}

/** The order whose pieces this one brings back to their buyer, with its returns and the one among them that ended so. */
async function findOwn(db: Db, order: CustomerOrder) {
  const first = await readReplaced(db, order)
  if (!first) return undefined
  const returns = (await readReturnsOf(db, first.order.id)).filter((each) => each.sellerOrderId === first.part.id)
  const back = returns.find(({ replacementOrder }) => replacementOrder === order.id)
  return back && (!back.isSettled || back.wish === 'repair') ? { first, returns, back } : undefined
}

/** Whether an order brings its buyer's own goods, repaired or after a refused claim, not others in their place. */
export async function bringsOwnGoods(db: Db, order: CustomerOrder): Promise<boolean> {
  return (await findOwn(db, order)) !== undefined
}

/** Whether a piece of the line was lost on its way and has neither been found nor paid back. */
function isLost(moves: readonly RecordedMove[], { offerId, quantities }: LineQuantities): boolean {
  const wasLost = moves.some((move) => move.offerId === offerId && move.from === 'shipped' && move.to === 'incident-open')
  return wasLost && (quantities['incident-open'] ?? 0) > 0
}
