import { lockPart, readOrder } from '#orders'
import type { JobScope } from '#platform'
import { holdsPieces, type ReturnRequest } from './return-request.ts'
import { readReturnsOf } from './return-store.ts'

/** Whether the pieces of a lapsed return have not become the subject of others. Locks the part, as requests of returns do. */
export async function areStillFree(
  { db }: Pick<JobScope, 'db'>,
  { id, customerOrderId, sellerOrderId, lines }: ReturnRequest,
): Promise<boolean> {
  await lockPart(db, sellerOrderId)
  const part = (await readOrder(db, customerOrderId))?.sellerOrders.find((each) => each.id === sellerOrderId)
  const others = (await readReturnsOf(db, customerOrderId)).filter(
    (each) => each.id !== id && each.sellerOrderId === sellerOrderId && holdsPieces(each),
  )
  const countOf = (of: readonly { offerId: string; quantity: number }[], offerId: string) =>
    of.reduce((all, line) => all + (line.offerId === offerId ? line.quantity : 0), 0)
  const taken = others.flatMap((each) => each.lines)
  return lines.every(({ offerId, quantity }) => countOf(taken, offerId) + quantity <= countOf(part?.lines ?? [], offerId))
}
