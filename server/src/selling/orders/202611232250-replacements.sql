-- The seller order whose returned pieces this order replaces, without payment; null for orders that were bought.
alter table orders.customer_order add column replaces text;
