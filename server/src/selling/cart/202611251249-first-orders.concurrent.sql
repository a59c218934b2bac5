-- One person has one first order, whichever coupons and however many orders they place at once.
create unique index concurrently coupon_first_order on cart.coupon_redemption (customer_key) where is_first_order;
create index concurrently coupon_for_everybody on cart.coupon (market, code) where customer_id is null;
