create index concurrently spend_uncounted on purchasing.spend (customer_order_id) where returned <> returned_counted;
