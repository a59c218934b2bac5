-- Guests who have agreed to one reminder of the basket of their session. The address is cleared once it has been written to; the
-- row goes with the basket's order, with a withdrawal, or with time.
create table reminders.guest (
  id uuid primary key,
  -- Of the basket, as `cartOwnerOf` forms it.
  owner text not null unique,
  market text not null,
  mode text not null check (mode in ('b2c', 'b2b')),
  email text,
  -- Keyed, so that it cannot be reversed by trying addresses.
  email_hash text not null,
  -- Of the links that confirm the address and withdraw the consent.
  token text not null unique,
  wording text not null,
  agreed_at timestamptz not null,
  confirmed_at timestamptz,
  reminded_at timestamptz,
  check ((email is null) = (reminded_at is not null))
);
create index guest_email on reminders.guest (email_hash);

-- Addresses that have had a reminder lately, so that they get no other one, whatever the basket.
create table reminders.guest_pause (
  email_hash text primary key,
  until timestamptz not null
);
