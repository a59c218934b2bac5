import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import { customerOrderStates, isPaid } from './order-states.ts'

/** Totals of a customer's purchases, without orders that were refunded as a whole or replace goods of another. */
export interface Purchases {
  orders: number
  ordersInYear: number
  /** What those cost, before refunds. Minor units with VAT, of whichever currency. */
  paidInYear: number
  orderIdsInYear: string[]
  /** Orders with a line of at least the given quantity. */
  tradeOrdersInYear: number
  gaveVatNumber: boolean
  gaveCompany: boolean
  lastOrderAt: Date | null
}

const purchases = {
  name: 'orders.purchases',
  text: `select o.owner, count(*)::int as orders, count(*) filter (where o.placed_at >= $3)::int as "ordersInYear",
      coalesce(sum(o.total) filter (where o.placed_at >= $3), 0)::float8 as "paidInYear",
      coalesce(array_agg(o.id) filter (where o.placed_at >= $3), '{}') as "orderIdsInYear",
      count(*) filter (where o.placed_at >= $3 and exists (select 1 from orders.order_line l
        where l.customer_order_id = o.id and l.quantity >= $4))::int as "tradeOrdersInYear",
      bool_or(coalesce(o.billing_address ->> 'vatNumber', '') <> '') as "gaveVatNumber",
      bool_or(coalesce(o.billing_address ->> 'company', '') <> '') as "gaveCompany",
      max(o.placed_at) as "lastOrderAt"
    from orders.customer_order o where o.owner = any($1) and o.state = any($2) and o.replaces is null group by o.owner`,
}
const kept = customerOrderStates.filter((state) => isPaid(state) && state !== 'refunded')

/** Purchases by owner; those who bought nothing are not in it. */
export async function readPurchases(
  db: Db,
  owners: readonly string[],
  { since, tradeQuantity }: { since: Date; tradeQuantity: number },
): Promise<Map<string, Purchases>> {
  const rows = await db.rows<Purchases & { owner: string }>(purchases, [owners, kept, since, tradeQuantity])
  return new Map(rows.map(({ owner, ...sums }) => [owner, sums]))
}

const baskets = {
  name: 'orders.baskets',
  text: `select array_agg(l.product_id::text order by l.position) as "productIds" from orders.customer_order o
    join orders.order_line l on l.customer_order_id = o.id
    where o.market = $1 and o.placed_at >= $2 and o.state = any($3) and o.replaces is null group by o.id order by min(o.placed_at)`,
}

/** What was bought together in a market since then, one list of products per order, the oldest first. For jobs only. */
export async function readBaskets(db: Db, market: Market, since: Date): Promise<string[][]> {
  const rows = await db.rows<{ productIds: string[] }>(baskets, [market, since, kept])
  return rows.map(({ productIds }) => productIds)
}
