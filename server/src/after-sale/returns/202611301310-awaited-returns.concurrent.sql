create index concurrently request_awaited on returns.request (updated_at) where state = 'in-transit';
