create index concurrently if not exists offer_coupon_code on catalogue.offer (coupon_code, product_id) where coupon_code is not null;
