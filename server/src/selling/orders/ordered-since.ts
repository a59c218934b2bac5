import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'

const placed = `market = $2 and placed_at >= $3 and replaces is null and state <> 'cancelled'`
const since = {
  name: 'orders.ordered-since',
  text: `select 1 from orders.customer_order where owner = $1 and ${placed}
    union all select 1 from orders.customer_order where lower(email) = lower($4) and ${placed} limit 1`,
}

/** Whether a person has placed an order in a market since then that has not been cancelled, signed in or as a guest with the same address. */
export async function hasOrderedSince(
  db: Db,
  { owner, email, market }: { owner: string; email: string; market: Market },
  at: Date,
): Promise<boolean> {
  return (await db.row(since, [owner, market, at, email])) !== undefined
}
