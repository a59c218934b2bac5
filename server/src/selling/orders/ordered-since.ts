import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'

const since = {
  name: 'orders.ordered-since',
  text: `select 1 from orders.customer_order where owner = $1 and market = $2 and placed_at >= $3 and state <> 'cancelled' limit 1`,
}

/** Whether a customer has placed an order in a market since then that has not been cancelled. */
export async function hasOrderedSince(db: Db, owner: string, market: Market, at: Date): Promise<boolean> {
  return (await db.row(since, [owner, market, at])) !== undefined
}
