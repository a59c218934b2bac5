create schema integrations;

-- Keys with which a seller's own programs call the API. The key itself is shown once and never stored.
create table integrations.seller_key (
  id uuid primary key,
  seller_id integer not null,
  name text not null,
  -- the first characters, by which people recognise a key
  prefix text not null,
  hash bytea not null unique check (octet_length(hash) = 32),
  scopes text[] not null check (cardinality(scopes) > 0),
  -- id of the member of staff
  created_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index seller_key_seller on integrations.seller_key (seller_id, created_at);
