-- The company for which a first order was placed: a company has one, whoever of its members places it.
alter table cart.coupon_redemption add column company_id uuid;
