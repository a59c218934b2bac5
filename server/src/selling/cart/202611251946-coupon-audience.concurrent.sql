alter table cart.coupon validate constraint coupon_audience_known;
create index concurrently coupon_for_audience on cart.coupon (market, code) where audience is not null;
