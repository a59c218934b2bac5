-- rows of: orders.seller_order
with next as (select id from orders.seller_order where ($1::text is null or id > $1::text) order by id limit $2),
pieces as (
  select s.id, q.state, sum(q.n) as n from next join orders.seller_order s on s.id = next.id
    cross join lateral (select s.state, l.quantity as n from orders.order_line l
        where l.customer_order_id = s.customer_order_id and l.seller_order_id = s.id
      union all select v.state, v.n from orders.line_move m
        cross join lateral (values (m.to_state, m.quantity), (m.from_state, -m.quantity)) v (state, n) where m.seller_order_id = s.id) q
  group by 1, 2 having sum(q.n) > 0),
ended as (
  select id, case when bool_or(state not in ('delivered', 'closed', 'refused', 'cancelled')) then 'open'
      when bool_or(state in ('delivered', 'closed')) then 'arrived' else 'dropped' end as outcome
    from pieces group by id),
filled as (update orders.seller_order s set outcome = e.outcome from ended e where s.id = e.id and s.outcome is null)
select id as key from next order by id
