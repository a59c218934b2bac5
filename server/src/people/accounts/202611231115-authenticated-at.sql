alter table accounts.session add column authenticated_at timestamptz;
