import { newId, type Db } from '#platform'
import { endWantedHold } from './wanted-holds.ts'

const reopen = {
  name: 'orders.reopen',
  text: `with ended as (${endWantedHold("o.id = $1 and o.state = 'awaiting-payment'")}
    ), reopened as (
      update orders.customer_order set state = 'draft', total = null, totals = null, coupon_code = null, cart_version = null,
        placed_at = null, holds_until = null, updated_at = now(),
        sender_hash = case when $3 = 'system' then null else sender_hash end
      where id = $1 and state = 'awaiting-payment' returning id
    ), lines as (
      delete from orders.order_line where customer_order_id in (select id from reopened)
    ), parts as (
      delete from orders.seller_order where customer_order_id in (select id from reopened)
    )
    insert into orders.transition (id, customer_order_id, from_state, to_state, actor, cause)
    select $2, id, 'awaiting-payment', 'draft', $3, $4 from reopened`,
}

/** Reverts to draft: nothing is sold any more. False when the order was not awaiting payment. */
export async function reopenPlaced(db: Db, id: string, by: 'buyer' | 'system' = 'buyer'): Promise<boolean> {
  return (await db.run(reopen, [id, newId(), by, by === 'buyer' ? 'reopened' : 'hold-expired'])) === 1
}
