-- Where a seller's programs are told of events. The secret of an endpoint is derived from its id and not stored.
create table integrations.endpoint (
  id uuid primary key,
  seller_id integer not null,
  url text not null,
  events text[] not null check (cardinality(events) > 0),
  created_at timestamptz not null,
  removed_at timestamptz
);
create unique index endpoint_url on integrations.endpoint (seller_id, url) where removed_at is null;

-- Log of what was sent or is still to be sent, with the result of the last attempt.
create table integrations.delivery (
  id uuid primary key,
  endpoint_id uuid not null references integrations.endpoint (id),
  event text not null,
  body text not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'dead')),
  -- since the last replay
  attempts integer not null default 0,
  status integer,
  error text,
  created_at timestamptz not null,
  last_at timestamptz
);
create index delivery_endpoint on integrations.delivery (endpoint_id, id desc);
