-- The provider's session of a sign-in, by which a back-channel logout names it; null for sign-ins of before.
alter table auth.token add column sid text;

-- Logout tokens that have been received: each counts once.
create table auth.logout_token (
  issuer text not null,
  jti text not null,
  received_at timestamptz not null default now(),
  primary key (issuer, jti)
);
create index logout_token_received on auth.logout_token (received_at);
