-- The returns of a seller's part.
create index concurrently request_part on returns.request (seller_order_id);
