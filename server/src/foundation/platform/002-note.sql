-- Small facts about this database: its own id, how its demo shop was made.
create table platform.note (
  key text primary key,
  value jsonb not null,
  at timestamptz not null default now()
);
