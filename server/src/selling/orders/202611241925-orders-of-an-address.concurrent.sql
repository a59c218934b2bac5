create index concurrently customer_order_email on orders.customer_order (lower(email));
