-- The coupons of an account page: those of the customer, and those shown to everybody in the market.
create index concurrently coupon_customer on cart.coupon (customer_id) where customer_id is not null;
create index concurrently coupon_listed on cart.coupon (market, ends_on) where is_listed;
