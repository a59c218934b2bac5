create schema newsletter;

-- One per address and storefront. The address is kept while it is needed: asked for, or subscribed; then only its hash, as proof.
create table newsletter.subscription (
  id uuid primary key,
  email text,
  email_hash text not null,
  market text not null,
  mode text not null check (mode in ('b2c', 'b2b')),
  state text not null check (state in ('asked', 'confirmed', 'ended')),
  -- SHA-256 of the token in the mail that asks for confirmation
  confirm_hash text,
  -- opens the unsubscribe link of every mail
  token text not null unique,
  -- the sentence that was agreed to, as it was shown
  wording text not null,
  asked_at timestamptz not null,
  confirmed_at timestamptz,
  ended_at timestamptz,
  unique (email_hash, market, mode)
);
create index subscription_confirm on newsletter.subscription (confirm_hash) where confirm_hash is not null;

-- Recent requests, for the limits; forgotten after a day.
create table newsletter.request (
  id uuid primary key,
  email_hash text not null,
  sender_hash text,
  at timestamptz not null default now()
);
create index request_email on newsletter.request (email_hash, at);
create index request_sender on newsletter.request (sender_hash, at) where sender_hash is not null;
create index request_at on newsletter.request (at);
