-- Days in which a company may send back what it does not need, as of placement; 0 for none, null for consumers and for orders from before it was stored.
alter table orders.customer_order add column free_return_days smallint;
