-- Whether somebody has bought before. The key of an address is that of limits per customer (cart/coupon.ts, customerKey).
create index concurrently customer_order_buyer on orders.customer_order ((
  case when split_part(lower(email), '@', 2) in ('gmail.com', 'googlemail.com')
    then replace(split_part(split_part(lower(email), '@', 1), '+', 1), '.', '')
    else split_part(split_part(lower(email), '@', 1), '+', 1) end || '@' || split_part(lower(email), '@', 2)
)) where paid_at is not null;
