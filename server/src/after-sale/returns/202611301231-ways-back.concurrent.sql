-- Returns whose personal data is still there.
create index concurrently request_labelled on returns.request (requested_at) where label_file is not null;
create index concurrently collection_addressed on returns.collection (updated_at) where address <> '{}';
