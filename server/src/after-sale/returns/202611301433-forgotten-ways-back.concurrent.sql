-- Returns with a label whose personal data may still be there.
create index concurrently request_unforgotten on returns.request (requested_at) where method = 'label' and forgotten_at is null;
