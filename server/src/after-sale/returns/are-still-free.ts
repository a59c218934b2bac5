import { lockPart, quantityStates, readMoves, readOrder } from '#orders'
import type { JobScope } from '#platform'
import type { Units } from '#refunds'
import { areFree, missingPieces, paidBackSince, returnablePieces } from './free-pieces.ts'
import type { ReturnRequest } from './return-request.ts'
import { readReturnsOf } from './return-store.ts'

/** Whether the pieces of a lapsed return have not become the subject of others. Locks the part, as requests of returns do. */
export async function areStillFree(scope: Pick<JobScope, 'db'>, request: ReturnRequest): Promise<boolean> {
  const { states, moves, others } = await readBeside(scope, request)
  return areFree(request.lines, returnablePieces(states, moves), others)
}

/**
 * The pieces of a return that can be paid or replaced: without those that were paid back while it was open, and as many as other returns
 * have not brought goods for. Of the buyer's own goods, which are sent back, only those that are not known to have been missing.
 */
export async function piecesLeft(scope: Pick<JobScope, 'db'>, request: ReturnRequest, { areOwn }: { areOwn: boolean }): Promise<Units[]> {
  const { states, moves, others } = await readBeside(scope, request)
  const returnable = returnablePieces(states, moves)
  const missing = areOwn ? missingPieces(states, moves) : new Map<string, number>()
  const brought = await broughtBy(scope, others)
  // Of what was withdrawn from and not handed over, those are first of all that were missing and have been paid back since.
  const isUnseen = request.basis === 'withdrawal' && !request.wasHandedOver
  return request.lines.flatMap(({ offerId, quantity: wanted }) => {
    const left = (returnable.get(offerId) ?? 0) - (missing.get(offerId) ?? 0) - (brought.get(offerId) ?? 0)
    const quantity = Math.min(left, isUnseen ? wanted - paidBackSince(moves, offerId, request.requestedAt) : wanted)
    return quantity > 0 ? [{ offerId, quantity }] : []
  })
}

/** The pieces that these returns have refunded, and those in the orders that they have led to, by offer. */
async function broughtBy({ db }: Pick<JobScope, 'db'>, returns: readonly ReturnRequest[]): Promise<ReadonlyMap<string, number>> {
  const brought = new Map<string, number>()
  for (const { replacementOrder, state, wish, lines } of returns) {
    const order = replacementOrder === null ? undefined : await readOrder(db, replacementOrder)
    const refunded = state === 'refunded' && wish !== 'part-refund' ? lines : []
    for (const { offerId, quantity } of order?.sellerOrders.flatMap((part) => part.lines) ?? refunded)
      brought.set(offerId, (brought.get(offerId) ?? 0) + quantity)
  }
  return brought
}

async function readBeside({ db }: Pick<JobScope, 'db'>, { id, customerOrderId, sellerOrderId }: ReturnRequest) {
  await lockPart(db, sellerOrderId)
  const [states, moves] = [await quantityStates(db, [sellerOrderId]), await readMoves(db, [sellerOrderId])]
  const returns = await readReturnsOf(db, customerOrderId)
  return { states, moves, others: returns.filter((each) => each.id !== id && each.sellerOrderId === sellerOrderId) }
}
