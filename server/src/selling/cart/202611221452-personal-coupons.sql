-- A coupon is for whoever knows its code, or for one customer; and it may be shown to every customer in their account.
alter table cart.coupon add column customer_id uuid;
alter table cart.coupon add column is_listed boolean not null default false;
