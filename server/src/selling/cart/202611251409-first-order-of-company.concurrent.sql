create unique index concurrently coupon_first_order_of_company on cart.coupon_redemption (company_id) where is_first_order;
