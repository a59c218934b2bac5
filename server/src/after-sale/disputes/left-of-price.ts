import { readPaidPart, type CustomerOrder, type SellerOrder } from '#orders'
import type { Db } from '#platform'
import { readRefundedBefore, refundOfUnits } from '#refunds'

/**
 * Refundable remainder of a part's price, in minor units with VAT: the limit of offers and decisions.
 * A replacement cost nothing: its price is what was paid for these goods in the order it replaces, from which refunds of it are taken.
 */
export async function leftOfPrice(db: Db, order: Pick<CustomerOrder, 'replaces'>, part: SellerOrder): Promise<number> {
  const paidPart = await readPaidPart(db, order, part)
  const before = await readRefundedBefore(db, paidPart.id)
  const left = Math.max(0, paidPart.total - before.amount)
  if (order.replaces == null) return left
  const paid = refundOfUnits(paidPart, before.lines, part.lines, 'full')
  return Math.min(
    left,
    paid.reduce((sum, { goods, delivery }) => sum + goods + delivery, 0),
  )
}
