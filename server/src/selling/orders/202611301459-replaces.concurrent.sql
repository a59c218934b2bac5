-- The orders that replace goods of another one: for its erasure.
create index concurrently customer_order_replaces on orders.customer_order (replaces) where replaces is not null;
