import { lockPart, quantityStates, readMoves } from '#orders'
import type { JobScope } from '#platform'
import { areFree, freePieces, returnablePieces } from './free-pieces.ts'
import type { ReturnRequest } from './return-request.ts'
import { readReturnsOf } from './return-store.ts'

/** Whether the pieces of a lapsed return have not become the subject of others. Locks the part, as requests of returns do. */
export async function areStillFree(scope: Pick<JobScope, 'db'>, request: ReturnRequest): Promise<boolean> {
  const { states, moves, others } = await readBeside(scope, request)
  return areFree(request.lines, returnablePieces(states, moves), others)
}

/**
 * The pieces of a return for which goods can be sent: without those that were paid back while it was open. Of the buyer's own goods, which
 * are sent back, only those that had arrived.
 */
export async function piecesToSend(scope: Pick<JobScope, 'db'>, request: ReturnRequest, { areOwn }: { areOwn: boolean }) {
  const { states, moves, others } = await readBeside(scope, request)
  const arrived = states.map(({ offerId, quantities: { 'incident-open': _missing, ...quantities } }) => ({ offerId, quantities }))
  return freePieces(request.lines, returnablePieces(areOwn ? arrived : states, moves), others)
}

async function readBeside({ db }: Pick<JobScope, 'db'>, { id, customerOrderId, sellerOrderId }: ReturnRequest) {
  await lockPart(db, sellerOrderId)
  const [states, moves] = [await quantityStates(db, [sellerOrderId]), await readMoves(db, [sellerOrderId])]
  const returns = await readReturnsOf(db, customerOrderId)
  return { states, moves, others: returns.filter((each) => each.id !== id && each.sellerOrderId === sellerOrderId) }
}
