-- Links in mails, and whatever else opens something once. The value is random, 256 bits; only its hash is kept.
create table identity.one_time_token (
  hash text primary key,
  realm text not null,
  -- register, reset, link
  purpose text not null,
  account_id uuid,
  email text not null,
  -- of a registration: the account that is opened; of all: the browser and the shop they were asked from
  data jsonb not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index one_time_token_expiry on identity.one_time_token (expires_at);
create index one_time_token_email on identity.one_time_token (realm, email, purpose);

-- Attempts by what they are counted for: an account as seen from unknown browsers, a browser, a network address.
create table identity.attempt (
  -- hash of the kind, the realm and the subject: nobody reads here who tried what
  key text primary key,
  count integer not null,
  since timestamptz not null,
  blocked_until timestamptz,
  -- was the last attempt one that came too early?
  is_refused boolean not null default false
);
create index attempt_since on identity.attempt (since);

create table identity.totp (
  realm text not null,
  account_id uuid not null,
  secret text not null,
  -- the last step used: a code works once
  last_step bigint not null default 0,
  created_at timestamptz not null default now(),
  primary key (realm, account_id),
  foreign key (realm, account_id) references identity.account (realm, id)
);

create table identity.recovery_code (
  realm text not null,
  account_id uuid not null,
  hash text not null,
  used_at timestamptz,
  primary key (realm, account_id, hash),
  foreign key (realm, account_id) references identity.account (realm, id)
);

create table identity.passkey (
  realm text not null,
  id text not null,
  account_id uuid not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  primary key (realm, id),
  foreign key (realm, account_id) references identity.account (realm, id)
);
create index passkey_account on identity.passkey (realm, account_id);

-- What a session was signed in with, for the list of devices.
create table identity.device (
  realm text not null,
  session_uid text not null,
  account_id uuid not null,
  name text not null,
  created_at timestamptz not null default now(),
  primary key (realm, session_uid)
);
create index device_account on identity.device (realm, account_id);
