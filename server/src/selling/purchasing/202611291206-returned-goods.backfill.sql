-- rows of: purchasing.spend
with next as (select customer_order_id from purchasing.spend where ($1::text is null or customer_order_id > $1) order by customer_order_id limit $2),
back as (
  select each.customer_order_id, jsonb_agg(jsonb_build_object('category', each.category_id, 'amount', each.amount)) as goods from (
    select r.customer_order_id, p.category_id, sum(l.goods) as amount from next
      join refunds.refund r on r.customer_order_id = next.customer_order_id
      join refunds.line l on l.refund_id = r.id
      join catalogue.offer o on o.id = l.offer_id
      join catalogue.product p on p.id = o.product_id
    group by r.customer_order_id, p.category_id) each
  group by each.customer_order_id),
filled as (
  update purchasing.spend s set returned_goods = back.goods from back
    where s.customer_order_id = back.customer_order_id and s.returned_goods = '[]')
select customer_order_id as key from next order by customer_order_id
