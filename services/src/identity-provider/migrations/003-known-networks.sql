-- Networks from which an account was signed in to: strangers' attempts do not use up the owner's there.
create table identity.known_network (
  realm text not null,
  account_id uuid not null,
  -- keyed hash of account and network
  mark text not null,
  seen_at timestamptz not null default now(),
  primary key (realm, account_id, mark)
);
create index known_network_seen on identity.known_network (seen_at);
