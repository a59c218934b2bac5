import { readPurchases, type Purchases } from '#orders'
import type { Db } from '#platform'
import { readRefundedOf } from '#refunds'

/** A customer's purchases with what they spent and kept in the year: refunded money is not counted. */
export interface NetPurchases extends Purchases {
  /** Minor units with VAT, of whichever currency. */
  spentInYear: number
}

/** Purchases by owner, less what was refunded; those who bought nothing are not in it. */
export async function readNetPurchases(
  db: Db,
  owners: readonly string[],
  which: { since: Date; tradeQuantity: number },
): Promise<Map<string, NetPurchases>> {
  const purchases = await readPurchases(db, owners, which)
  const refunded = await readRefundedOf(
    db,
    [...purchases.values()].flatMap(({ orderIdsInYear }) => orderIdsInYear),
  )
  return new Map(
    [...purchases].map(([owner, bought]) => {
      const back = bought.orderIdsInYear.reduce((sum, id) => sum + (refunded.get(id) ?? 0), 0)
      return [owner, { ...bought, spentInYear: Math.max(0, bought.paidInYear - back) }]
    }),
  )
}
