create schema content;

-- Guides, comparisons, projects, landings, help articles, banners and other pages.
create table content.entry (
  kind text not null check (kind ~ '^[a-z]{1,20}$'),
  id integer not null check (id > 0),
  key text not null check (key ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  created_at timestamptz not null default now(),
  primary key (kind, id),
  unique (kind, key)
);

-- A version never changes but for its schedule.
create table content.version (
  kind text not null,
  entry_id integer not null,
  version integer not null check (version > 0),
  -- null: a draft, seen through its preview link alone
  live_from timestamptz,
  -- null: until another version takes its place
  live_until timestamptz,
  markets text[] not null check (cardinality(markets) > 0),
  modes text[] not null check (cardinality(modes) > 0),
  facts jsonb not null,
  -- of the files it was read from; null when somebody wrote it through the API
  source_digest text,
  written_at timestamptz not null default now(),
  primary key (kind, entry_id, version),
  foreign key (kind, entry_id) references content.entry (kind, id),
  check (live_until is null or live_from is not null and live_until >= live_from)
);
create index version_live on content.version (kind, entry_id) where live_from is not null;

create table content.text (
  kind text not null,
  entry_id integer not null,
  version integer not null,
  language text not null check (language ~ '^[a-z]{2}$'),
  title text not null,
  description text not null,
  lead text not null,
  blocks jsonb not null,
  primary key (kind, entry_id, version, language),
  foreign key (kind, entry_id, version) references content.version (kind, entry_id, version)
);
