create index concurrently if not exists customer_order_network on orders.customer_order (sender_hash) where state = 'awaiting-payment' and sender_hash is not null;
