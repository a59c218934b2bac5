create index concurrently request_to_send on returns.request (updated_at) where state = 'label-sent';
