-- rows of: purchasing.spend
with next as (select customer_order_id from purchasing.spend where ($1::text is null or customer_order_id > $1) order by customer_order_id limit $2),
filled as (
  update purchasing.spend s set net = (o.totals->>'net')::integer from next, orders.customer_order o
    where s.customer_order_id = next.customer_order_id and o.id = s.customer_order_id and s.net is null)
select customer_order_id as key from next order by customer_order_id
