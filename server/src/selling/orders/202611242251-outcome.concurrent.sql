alter table orders.seller_order validate constraint seller_order_outcome;
create index concurrently seller_order_outcome_of_order on orders.seller_order (customer_order_id) include (outcome);
