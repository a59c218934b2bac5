import type { Currency, Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import { sellerOrderState } from './line-move-store.ts'
import type { SellerOrderState } from './order-states.ts'

export interface SellerOrderRow {
  id: string
  customerOrderId: string
  market: Market
  currency: Currency
  state: SellerOrderState
  total: number
  paidAt: Date
}

const page = {
  name: 'orders.of-seller',
  text: `select s.id, o.id as "customerOrderId", o.market, o.currency, ${sellerOrderState} as state, s.total, o.paid_at as "paidAt"
    from orders.seller_order s join orders.customer_order o on o.id = s.customer_order_id
    where s.seller_id = $1 and s.id > $2 and o.paid_at is not null order by s.id limit $3`,
}
/** A seller's part of paid orders, in the order of their ids, after one of them. */
export function readSellerOrders(db: Db, sellerId: number, after: string, limit: number): Promise<SellerOrderRow[]> {
  return db.rows<SellerOrderRow>(page, [sellerId, after, limit])
}
