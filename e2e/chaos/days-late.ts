import type pg from 'pg'

/**
 * For an order and its payment three days pass in the database: whatever the provider reports of them now comes three days late (F9).
 * When the provider is to be asked for news stays as it is.
 */
export async function passThreeDays(pool: pg.Pool, orderId: string): Promise<void> {
  await pool.query(
    `with paid as (
        update payments.payment set created_at = created_at - interval '3 days', updated_at = updated_at - interval '3 days'
        where customer_order_id = $1)
      update orders.customer_order set created_at = created_at - interval '3 days', placed_at = placed_at - interval '3 days',
        paid_at = paid_at - interval '3 days', holds_until = holds_until - interval '3 days', updated_at = updated_at - interval '3 days'
      where id = $1`,
    [orderId],
  )
}
