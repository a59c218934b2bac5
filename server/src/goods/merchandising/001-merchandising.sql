create schema merchandising;

-- What operators teach the search, by market. The worker hands all of it to the engine after each change.
create table merchandising.synonym (
  market text not null,
  id text not null,
  -- general: lists that come with the shop; operator: written here
  source text not null check (source in ('general', 'operator')),
  type text not null check (type in ('synonym', 'oneWaySynonym')),
  input text,
  words text[] not null check (cardinality(words) > 0),
  updated_at timestamptz not null default now(),
  primary key (market, id)
);

create table merchandising.rule (
  market text not null,
  id text not null,
  enabled boolean not null default true,
  -- in the engine's own form: conditions and consequence
  rule jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (market, id)
);

-- One row per market that differs from what the shop comes with.
create table merchandising.tuning (
  market text primary key,
  stop_words text[],
  -- { "title": 4 }
  weights jsonb not null default '{}',
  updated_at timestamptz not null default now()
);

-- What people searched, by day of the market; counted in each process and added every few seconds.
create table merchandising.query_day (
  market text not null,
  day date not null,
  query text not null,
  searches integer not null default 0,
  without_results integer not null default 0,
  clicks integer not null default 0,
  primary key (market, day, query)
);

-- Which query an id in an event belongs to; kept for a day.
create table merchandising.asked (
  query_id text primary key,
  market text not null,
  day date not null,
  query text not null,
  at timestamptz not null default now()
);
create index asked_at on merchandising.asked (at);

-- Clicks and conversions, taken with consent to user preferences only; kept for 90 days.
create table merchandising.search_event (
  id uuid primary key,
  market text not null,
  type text not null check (type in ('click', 'conversion', 'view')),
  user_token text not null,
  query_id text,
  product_ids text[] not null,
  at timestamptz not null default now(),
  -- set once its weight has gone into the products' popularity
  counted boolean not null default false
);
create index search_event_uncounted on merchandising.search_event (at) where not counted;
