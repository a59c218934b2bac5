-- Requests of staff to remove a second step that locks the owner out. Those that have ended stay, until the account is deleted.
create table identity.second_step_removal (
  id uuid primary key,
  realm text not null,
  account_id uuid not null,
  -- the member of staff who has checked the person, and the case in which it is written down how
  requested_by text not null,
  reference text not null,
  requested_at timestamptz not null default now(),
  due_at timestamptz not null,
  ended_at timestamptz,
  -- removed; kept: somebody has signed in with it; called-off
  outcome text check (outcome in ('removed', 'kept', 'called-off')),
  foreign key (realm, account_id) references identity.account (realm, id)
);
create unique index second_step_removal_pending on identity.second_step_removal (realm, account_id) where ended_at is null;
create index second_step_removal_account on identity.second_step_removal (realm, account_id);
create index second_step_removal_due on identity.second_step_removal (due_at) where ended_at is null;
