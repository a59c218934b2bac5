-- Keys of the public API, made by operators. The key itself is shown once and never stored.
create table integrations.api_key (
  id uuid primary key,
  -- who uses it
  name text not null,
  -- the first characters, by which people recognise a key
  prefix text not null,
  hash bytea not null unique check (octet_length(hash) = 32),
  -- the cost of its operations in a minute, at most
  cost_per_minute integer not null check (cost_per_minute > 0),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
