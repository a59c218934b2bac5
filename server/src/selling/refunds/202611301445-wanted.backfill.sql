-- rows of: refunds.refund
with next as (select id from refunds.refund where ($1::text is null or id > $1::uuid) order by id limit $2),
filled as (
  update refunds.refund r set wanted = greatest(r.amount, coalesce((
      select sum(l.delivery + case when l.quantity > 0 then (o.total - o.discount)::bigint * l.quantity / o.quantity else l.goods end)
      from refunds.line l join orders.order_line o on o.customer_order_id = r.customer_order_id and o.offer_id = l.offer_id
      where l.refund_id = r.id), 0))::integer
    from next where r.id = next.id and r.wanted is null)
select id::text as key from next order by id
