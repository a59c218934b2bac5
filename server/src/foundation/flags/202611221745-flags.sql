create schema if not exists flags;

-- Values of feature flags. The market or mode '*' stands for all; the most specific row counts.
create table flags.value (
  name text not null,
  market text not null,
  mode text not null,
  value jsonb not null,
  changed_at timestamptz not null default now(),
  primary key (name, market, mode)
);

-- The platform config: every version of each key; the newest counts, and null switches the key off.
create table flags.config (
  key text not null,
  market text not null,
  mode text not null,
  version integer not null,
  value jsonb,
  changed_at timestamptz not null default now(),
  primary key (key, market, mode, version)
);
