create schema profile;

-- What a customer says about themselves beyond the account (accounts.customer).
create table profile.profile (
  customer_id uuid primary key,
  first_name text,
  last_name text,
  phone text,
  -- the language of mails, where it is not the market's
  language text check (language ~ '^[a-z]{2}$'),
  -- Spain's NIF or NIE, Italy's codice fiscale
  fiscal_number text,
  updated_at timestamptz not null default now()
);

-- Every yes and no to offers, append-only: the newest of a channel counts, all of them are the proof.
create table profile.consent (
  id uuid primary key,
  customer_id uuid not null,
  channel text not null check (channel in ('email', 'sms')),
  is_granted boolean not null,
  -- the sentence that was agreed to, as it was shown
  wording text not null,
  -- where it was said: "settings"
  source text not null,
  -- for text messages: the number
  phone text,
  at timestamptz not null default now()
);
create index consent_customer on profile.consent (customer_id, channel, at desc, id desc);
