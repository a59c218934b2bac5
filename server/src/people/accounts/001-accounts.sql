create schema accounts;

-- Server-side sessions. A guest has one from the first thing worth remembering on.
create table accounts.session (
  -- SHA-256 of the cookie's value: who reads this table cannot take over a session
  id text primary key,
  market text not null check (market in ('es', 'fr', 'gb', 'de', 'it')),
  mode text not null check (mode in ('b2c', 'b2b')),
  -- a guest who has said who they are
  guest_email text,
  -- the contract's Viewer of somebody signed in; null for guests
  viewer jsonb,
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '60 days'
);
create index session_expires on accounts.session (expires_at);
