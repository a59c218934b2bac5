-- The embedded identity provider. Its schema is its own: the shop reads none of it.

create table identity.account (
  realm text not null,
  id uuid not null,
  -- normalized: trimmed, lower case, NFC
  email text not null,
  -- PHC string of argon2id; null: signs in by passkey or link
  password text,
  given_name text not null,
  family_name text not null,
  locale text not null,
  company_name text,
  trade text,
  vat_number text,
  professional_role text,
  -- of the demo shop, with a password that the README tells
  is_demo boolean not null default false,
  created_at timestamptz not null default now(),
  password_at timestamptz,
  closed_at timestamptz,
  primary key (realm, id)
);
create unique index account_email on identity.account (realm, email) where closed_at is null;

-- Sessions, grants, codes and tokens of oidc-provider. Ids are SHA-256: who reads this table can use none of them.
create table identity.artifact (
  realm text not null,
  model text not null,
  id text not null,
  payload jsonb not null,
  account_id uuid,
  grant_id text,
  uid text,
  created_at timestamptz not null default now(),
  consumed_at timestamptz,
  expires_at timestamptz not null,
  primary key (realm, model, id)
);
create index artifact_grant on identity.artifact (realm, grant_id) where grant_id is not null;
create index artifact_uid on identity.artifact (realm, uid) where uid is not null;
create index artifact_account on identity.artifact (realm, account_id) where account_id is not null;
create index artifact_expiry on identity.artifact (expires_at);

-- Keys that sign ID tokens. A new one is published before it signs, an old one is published until its tokens have expired.
create table identity.signing_key (
  realm text not null,
  kid text not null,
  jwk jsonb not null,
  created_at timestamptz not null default now(),
  signs_from timestamptz not null,
  primary key (realm, kid)
);

-- Random secrets made at first start: of cookies, of forms.
create table identity.secret (
  name text primary key,
  value text not null,
  created_at timestamptz not null default now()
);
