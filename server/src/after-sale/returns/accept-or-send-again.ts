import { acceptSale, sendAgain, type Handled, type Handling } from '#fulfilment'
import { lockPart, quantityStates, readMoves } from '#orders'
import type { Scope } from '#platform'
import { maySendAgain } from './free-pieces.ts'
import { readReturnsOf } from './return-store.ts'

/**
 * Accepts pieces. Named ones that have come back to the seller are sent again by that, unless the buyer returns them: their price goes
 * back with the return. Source: decision 114.
 */
export async function acceptOrSendAgain(scope: Scope, handling: Handling): Promise<Handled> {
  const accepted = await acceptSale(scope, handling)
  const { sellerOrderId, lines: pieces } = handling
  // Only the seller of the order gets this far.
  if (accepted.ok || accepted.reason !== 'not-in-this-state' || !pieces?.length) return accepted
  const part = await lockPart(scope.db, sellerOrderId)
  if (!part) return accepted
  const [lines, moves] = [await quantityStates(scope.db, [sellerOrderId]), await readMoves(scope.db, [sellerOrderId])]
  const returns = (await readReturnsOf(scope.db, part.customerOrderId)).filter((each) => each.sellerOrderId === sellerOrderId)
  if (!maySendAgain(pieces, { lines, moves, returns })) return { ok: false, reason: 'return-under-way' }
  return sendAgain(scope, sellerOrderId, pieces)
}
