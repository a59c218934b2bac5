import { lockPart, quantityStates, readMoves } from '#orders'
import type { JobScope } from '#platform'
import { areFree, returnablePieces } from './free-pieces.ts'
import type { ReturnRequest } from './return-request.ts'
import { readReturnsOf } from './return-store.ts'

/** Whether the pieces of a lapsed return have not become the subject of others. Locks the part, as requests of returns do. */
export async function areStillFree(
  { db }: Pick<JobScope, 'db'>,
  { id, customerOrderId, sellerOrderId, lines }: ReturnRequest,
): Promise<boolean> {
  await lockPart(db, sellerOrderId)
  const [states, moves] = [await quantityStates(db, [sellerOrderId]), await readMoves(db, [sellerOrderId])]
  const returns = await readReturnsOf(db, customerOrderId)
  const others = returns.filter((each) => each.id !== id && each.sellerOrderId === sellerOrderId)
  return areFree(lines, returnablePieces(states, moves), others)
}
