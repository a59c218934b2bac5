-- Customers for whom alone a coupon is; null for everybody, or for the one customer of customer_id.
alter table cart.coupon add column audience text;
alter table cart.coupon add constraint coupon_audience_known check (audience in ('high-value')) not valid;
