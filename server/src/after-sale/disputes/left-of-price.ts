import { readOrder, type CustomerOrder, type SellerOrder } from '#orders'
import type { Db } from '#platform'
import { readRefundedBefore, refundOfUnits } from '#refunds'

/**
 * Refundable remainder of a part's price, in minor units with VAT: the limit of offers and decisions.
 * A replacement cost nothing: its price is what was paid for these goods in the order it replaces, from which refunds of it are taken.
 */
export async function leftOfPrice(db: Db, order: Pick<CustomerOrder, 'replaces'>, part: SellerOrder): Promise<number> {
  const paidPart = await partPaidFor(db, order, part)
  const before = await readRefundedBefore(db, paidPart.id)
  const left = Math.max(0, paidPart.total - before.amount)
  if (order.replaces == null) return left
  const paid = refundOfUnits(paidPart, before.lines, part.lines, 'full')
  return Math.min(
    left,
    paid.reduce((sum, { goods, delivery }) => sum + goods + delivery, 0),
  )
}

/** The part that was paid: of a replacement, also of one that replaces another, the first in the row. */
async function partPaidFor(db: Db, { replaces }: Pick<CustomerOrder, 'replaces'>, part: SellerOrder): Promise<SellerOrder> {
  if (replaces == null) return part
  const order = await readOrder(db, replaces.slice(0, replaces.lastIndexOf('-')))
  const replaced = order?.sellerOrders.find(({ id }) => id === replaces)
  return order && replaced ? partPaidFor(db, order, replaced) : part
}
