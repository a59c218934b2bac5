create index concurrently session_of_sign_in on accounts.session (sign_in_id) where sign_in_id is not null;
create index concurrently customer_by_email on accounts.customer (lower(email)) where closed_at is null;
-- The same address may be registered with several identity providers: two accounts, which nothing links.
drop index concurrently accounts.customer_email;
