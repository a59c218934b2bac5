import type { Db } from '#platform'
import type { CustomerOrder, SellerOrder } from './order.ts'
import { readOrder } from './store.ts'

/** The part that was paid: of a replacement, also of one that replaces another, the first in the row. */
export async function readPaidPart(db: Db, order: Pick<CustomerOrder, 'replaces'>, part: SellerOrder): Promise<SellerOrder> {
  const replaced = await readReplaced(db, order)
  return replaced ? readPaidPart(db, replaced.order, replaced.part) : part
}

/** The part whose pieces an order replaces or brings back; undefined if it was bought. */
export async function readReplaced(
  db: Db,
  { replaces }: Pick<CustomerOrder, 'replaces'>,
): Promise<{ order: CustomerOrder; part: SellerOrder } | undefined> {
  if (replaces == null) return undefined
  const order = await readOrder(db, replaces.slice(0, replaces.lastIndexOf('-')))
  const part = order?.sellerOrders.find(({ id }) => id === replaces)
  return order && part && { order, part }
}
