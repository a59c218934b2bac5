-- rows of: orders.customer_order
with next as (select id from orders.customer_order where ($1::text is null or id > $1) order by id limit $2),
paid as (
  update orders.customer_order o set state = 'paid', updated_at = now() from next, payments.payment p
    where o.id = next.id and o.state = 'refunded' and p.customer_order_id = o.id and p.abandoned is null
      and p.refunds_returned > 0 and p.refunded < p.captured
      -- The money of all others has left since, as by bank transfer.
      and exists (select 1 from refunds.refund r where r.customer_order_id = o.id and r.state <> 'done')
      and p.captured > (select coalesce(sum(r.amount), 0) from refunds.refund r where r.customer_order_id = o.id and r.state = 'done')
    returning o.id),
noted as (
  insert into orders.transition (id, customer_order_id, from_state, to_state, actor, cause)
    select gen_random_uuid(), id, 'refunded', 'paid', 'system', 'refund-failed' from paid)
select id as key from next order by id
