create schema auth;

-- What the identity provider gave at a sign-in. Tokens are encrypted, and none of them leaves the server.
create table auth.token (
  -- of accounts.session: one sign-in may have a session on several hosts
  sign_in_id uuid primary key,
  provider text not null,
  refresh_token text,
  id_token text,
  -- grows with every refresh
  generation integer not null default 1,
  -- somebody is refreshing: the others wait, since a refresh token can be used once
  leased_until timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '60 days'
);
create index token_expires on auth.token (expires_at);

-- Carry a session to another host, once.
create table auth.exchange_token (
  -- SHA-256 of the token
  id text primary key,
  session_id text not null,
  target_host text not null,
  -- SHA-256 of the secret that the browser was given on the target host; null: the token comes in a header
  challenge text,
  expires_at timestamptz not null default now() + interval '1 minute',
  used_at timestamptz
);
create index exchange_token_expires on auth.exchange_token (expires_at);
