-- The company a member ordered for; null for orders of guests and consumers.
alter table orders.customer_order add column company_id uuid;
