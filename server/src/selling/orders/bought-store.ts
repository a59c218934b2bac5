import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import type { BoughtProduct } from './bought-product.ts'

interface Buyer {
  owner: string
  /** Includes the purchases of all members of this company. */
  companyId: string | null
  /** The company the owner acts for: what they once bought for another is not theirs. */
  memberOf: string | null
  market: Market
}

// Two branches, so that each can use its own index.
const boughtLines = `select l.product_id, l.quantity, l.snapshot, o.id, o.placed_at
      from (select id, placed_at from orders.customer_order
          where owner = $1 and (company_id is null or company_id = $4) and market = $3 and paid_at is not null and state not in ('cancelled', 'refunded')
        union select id, placed_at from orders.customer_order
          where company_id = $2 and market = $3 and paid_at is not null and state not in ('cancelled', 'refunded')) o
      join orders.order_line l on l.customer_order_id = o.id`
const list = {
  name: 'orders.bought-products',
  text: `with bought as (${boughtLines})
    select product_id::text as "productId", (array_agg(snapshot ->> 'title' order by placed_at desc))[1] as title,
      (array_agg(snapshot ->> 'imageUrl' order by placed_at desc))[1] as "imageUrl", count(distinct id)::int as times,
      (array_agg(quantity order by placed_at desc))[1] as quantity, min(placed_at) as "firstBoughtAt", max(placed_at) as "lastBoughtAt"
    from bought group by product_id order by max(placed_at) desc, product_id limit $5 offset $6`,
}
const count = {
  name: 'orders.count-bought-products',
  text: `with bought as (${boughtLines}) select count(distinct product_id)::int as total from bought`,
}

/** Products this buyer has paid for, the latest first. */
export function readBought(
  db: Db,
  { owner, companyId, memberOf, market }: Buyer,
  { limit, offset }: { limit: number; offset: number },
): Promise<BoughtProduct[]> {
  return db.rows<BoughtProduct>(list, [owner, companyId, market, memberOf, limit, offset])
}

export async function countBought(db: Db, { owner, companyId, memberOf, market }: Buyer): Promise<number> {
  return (await db.row<{ total: number }>(count, [owner, companyId, market, memberOf]))?.total ?? 0
}
