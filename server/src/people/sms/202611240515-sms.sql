create schema sms;

-- Text messages, with their outcome as the provider reports it.
create table sms.message (
  id uuid primary key,
  -- the same key never makes a second message
  key text not null unique,
  customer_id uuid not null,
  market text not null,
  phone text not null,
  body text not null,
  segments smallint not null,
  state text not null default 'queued' check (state in ('queued', 'sent', 'delivered', 'failed', 'dropped')),
  -- the provider's id of it, and its code for a failure
  reference text unique,
  error_code text,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now()
);
create index message_customer on sms.message (customer_id);
create index message_created on sms.message (created_at);

-- Replies that have been taken: a repeated one must not end a later consent.
create table sms.reply (
  reference text primary key,
  at timestamptz not null default now()
);
