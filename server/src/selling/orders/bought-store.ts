import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import { neededAgainAt, type BoughtProduct } from './bought-product.ts'

interface Buyer {
  owner: string
  /** Includes the purchases of all members of this company. */
  companyId: string | null
  /** The company the owner acts for: what they once bought for another is not theirs. */
  memberOf: string | null
  market: Market
}

// Replacements and repairs are no purchases.
const paid = `market = $3 and paid_at is not null and replaces is null and state not in ('cancelled', 'refunded')`
// Two branches, so that each can use its own index.
const boughtLines = `select l.product_id, l.quantity, l.snapshot, o.id, o.placed_at
      from (select id, placed_at from orders.customer_order
          where owner = $1 and (company_id is null or company_id = $4) and ${paid}
        union select id, placed_at from orders.customer_order
          where company_id = $2 and ${paid}) o
      join orders.order_line l on l.customer_order_id = o.id`
const list = {
  name: 'orders.bought-products',
  text: `with bought as (${boughtLines}),
    by_order as (
      select product_id, id, placed_at, sum(quantity)::int as quantity, min(snapshot ->> 'title') as title, min(snapshot ->> 'imageUrl') as image
      from bought group by product_id, id, placed_at),
    by_product as (
      select product_id, count(*)::int as times, min(placed_at) as first_at, max(placed_at) as last_at, sum(quantity)::int as pieces,
        (array_agg(quantity order by placed_at desc, id desc))[1] as latest, (array_agg(title order by placed_at desc, id desc))[1] as title,
        (array_agg(image order by placed_at desc, id desc))[1] as image
      from by_order group by product_id),
    rated as (select *, ${neededAgainAt('$5::timestamptz')} as needed_at from by_product),
    due as (select *, coalesce(needed_at <= $5::timestamptz, false) as is_due from rated)
    select product_id::text as "productId", title, image as "imageUrl", times, latest as quantity, first_at as "firstBoughtAt", last_at as "lastBoughtAt",
      needed_at as "neededAgainAt", is_due as "isDue"
    from due order by is_due desc, case when is_due then needed_at end, last_at desc, product_id limit $6 offset $7`,
}
const count = {
  name: 'orders.count-bought-products',
  text: `with bought as (${boughtLines}) select count(distinct product_id)::int as total from bought`,
}

/** Products this buyer has paid for: first those that are needed again by now, the longest overdue of them first, then the latest. */
export function readBought(
  db: Db,
  { owner, companyId, memberOf, market }: Buyer,
  { now, limit, offset }: { now: Date; limit: number; offset: number },
): Promise<BoughtProduct[]> {
  return db.rows<BoughtProduct>(list, [owner, companyId, market, memberOf, now, limit, offset])
}

export async function countBought(db: Db, { owner, companyId, memberOf, market }: Buyer): Promise<number> {
  return (await db.row<{ total: number }>(count, [owner, companyId, market, memberOf]))?.total ?? 0
}
