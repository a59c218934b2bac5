-- The link that ends offers by e-mail. Its token opens nothing and names nobody.
create table profile.unsubscribe (
  customer_id uuid primary key,
  token text not null unique,
  -- of the last mail with this link, for the wording of the withdrawal
  market text not null,
  since timestamptz not null default now()
);

-- Reminders and offers of the last week: a customer gets only so many.
create table profile.notice (
  customer_id uuid not null,
  channel text not null check (channel in ('email', 'sms')),
  key text not null,
  at timestamptz not null default now(),
  primary key (customer_id, channel, key)
);
