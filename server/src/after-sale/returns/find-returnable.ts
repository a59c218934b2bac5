import type { PersonalAction } from '@purlin/contract/actions.ts'
import { findOrder, readPaidPart, type OrderSeen, type SellerOrder } from '#orders'
import type { Scope } from '#platform'
import { heldPieces, missingPieces, returnablePieces } from './free-pieces.ts'
import type { ReturnCase } from './offered-return.ts'
import { findReturnCase } from './return-case.ts'
import type { ReturnRequest } from './return-request.ts'
import { readReturnsOf } from './return-store.ts'

export interface Returnable {
  order: OrderSeen
  part: SellerOrder
  /** The part with which the goods were paid: of an order without payment, one of an earlier order. */
  paidPart: SellerOrder
  about: ReturnCase
  /** Pieces of each line that can be given back: those sent and not the subject of another return. */
  pieces: Map<string, number>
  /** Of those, pieces that are known not to have arrived. What was withdrawn from without coming back is first of all what is missing. */
  missing: ReadonlyMap<string, number>
  returns: ReturnRequest[]
}

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
  const [{ states, moves, about }, all, paidPart] = await Promise.all([
    findReturnCase(scope, order, part),
    readReturnsOf(scope.db, customerOrderId),
    readPaidPart(scope.db, order, part),
  ])
  const returns = all.filter((each) => each.sellerOrderId === sellerOrderId)
  const returnable = returnablePieces(states, moves)
  const pieces = new Map(
    part.lines.map(({ offerId }) => [offerId, Math.max(0, (returnable.get(offerId) ?? 0) - heldPieces(returns, offerId))]),
  )
  return { order, part, paidPart, about, pieces, missing: missingBeside(missingPieces(states, moves), returns), returns }
}

function missingBeside(missing: ReadonlyMap<string, number>, returns: readonly ReturnRequest[]): ReadonlyMap<string, number> {
  const unseen = returns.filter(({ basis, wasHandedOver }) => basis === 'withdrawal' && !wasHandedOver)
  return new Map([...missing].map(([offerId, quantity]) => [offerId, Math.max(0, quantity - heldPieces(unseen, offerId))]))
}
