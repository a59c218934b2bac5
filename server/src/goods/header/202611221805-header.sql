create schema if not exists header;

-- Quick links, pre-headers and menu campaigns of the header, with schedule and audience.
create table header.item (
  id text primary key,
  kind text not null,
  markets text[] not null,
  modes text[] not null,
  audience text not null,
  category_ids integer[] not null default '{}',
  family_ids integer[] not null default '{}',
  position integer not null default 0,
  live_from timestamptz not null,
  live_until timestamptz,
  path text not null,
  texts jsonb not null,
  changed_at timestamptz not null default now()
);
