-- The building site an order goes to.
create table purchasing.order_site (
  customer_order_id text primary key,
  company_id uuid not null,
  site_id uuid not null
);
