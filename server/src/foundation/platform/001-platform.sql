create schema if not exists platform;

-- Events, written in the transaction of the command that caused them.
create table platform.outbox (
  id uuid primary key,
  -- order of writing; within an aggregate also the order of delivery
  position bigint generated always as identity,
  type text not null,
  aggregate text not null,
  payload jsonb not null,
  created_at timestamptz not null default now(),
  available_at timestamptz not null default now(),
  attempts integer not null default 0,
  locked_until timestamptz,
  locked_by text,
  done_at timestamptz,
  parked_at timestamptz,
  last_error text
);
create index outbox_waiting on platform.outbox (position) where done_at is null and parked_at is null;
create index outbox_aggregate on platform.outbox (aggregate, position) where done_at is null and parked_at is null;
create index outbox_done on platform.outbox (done_at) where done_at is not null;

-- Which handler has handled which event or job: its effect is in the same transaction, so it happens exactly once.
create table platform.handled (
  event_id text not null,
  handler text not null,
  at timestamptz not null default now(),
  primary key (event_id, handler)
);
create index handled_at on platform.handled (at);

create table platform.job (
  name text not null,
  key text not null,
  payload jsonb not null,
  run_at timestamptz not null,
  -- counts the times this key was put on the list
  round bigint not null default 0,
  attempts integer not null default 0,
  locked_until timestamptz,
  locked_by text,
  parked_at timestamptz,
  last_error text,
  primary key (name, key)
);
create index job_due on platform.job (run_at) where parked_at is null;

create table platform.schedule (
  name text primary key,
  next_run_at timestamptz not null default now()
);

-- The outcome of a command with a key: the same key gives the same answer.
create table platform.idempotency (
  -- whose key: session or customer
  owner text not null,
  key text not null,
  body_hash text not null,
  outcome jsonb,
  created_at timestamptz not null default now(),
  primary key (owner, key)
);
create index idempotency_age on platform.idempotency (created_at);

-- Tags of cached pages that are no longer true; each process that caches reads on from where it was.
create table platform.purge_log (
  id bigint generated always as identity primary key,
  tags text[] not null,
  at timestamptz not null default now()
);

-- Public numeric ids, by kind.
create table platform.allocator (
  kind text primary key,
  next bigint not null
);
