create schema push;

-- The key that signs what the shop sends to push services; made once, and never leaves the database.
create table push.key (
  only_one boolean primary key default true check (only_one),
  jwk jsonb not null
);

-- Browsers whose visitors pressed "I subscribe"; nothing says whose they are.
create table push.subscription (
  id uuid primary key,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  market text not null,
  mode text not null,
  origin text not null,
  at timestamptz not null default now()
);
