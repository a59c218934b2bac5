create schema privacy;

-- Files with everything the shop knows of a customer, made on request.
create table privacy.export (
  id uuid primary key,
  customer_id uuid not null,
  -- in the object store; null until it is made, and again when it is gone
  file_key text,
  requested_at timestamptz not null default now(),
  expires_at timestamptz
);
create index export_customer on privacy.export (customer_id, requested_at desc);
create index export_expires on privacy.export (expires_at) where expires_at is not null;

-- What the law asks to keep of an order whose buyer was erased, sealed: not readable without the shop's key.
create table privacy.retained (
  customer_order_id text primary key,
  sealed bytea not null,
  until timestamptz not null
);
create index retained_until on privacy.retained (until);

-- That and when somebody was erased; nothing about them.
create table privacy.erasure (
  customer_id uuid primary key,
  requested_at timestamptz not null default now(),
  done_at timestamptz
);
