create index concurrently delivery_due on integrations.delivery (endpoint_id, next_at) where state = 'waiting';
