create schema insights;

-- What visitors did, with their consent: append-only, one partition per day, dropped after 90 days. The day is that of the
-- event's id (UUIDv7), so that an event sent twice is one row whenever it arrives.
create table insights.event (
  day date not null,
  id uuid not null,
  market text not null,
  mode text not null,
  visitor_id uuid,
  name text not null,
  page_name text not null,
  page_type text not null,
  device text not null,
  -- the purposes allowed when it was sent: it is forwarded under these alone
  purposes text[] not null,
  data jsonb not null,
  at timestamptz not null,
  received_at timestamptz not null default now(),
  primary key (day, id)
) partition by range (day);
create index event_visitor on insights.event (visitor_id) where visitor_id is not null;
create index event_received on insights.event (received_at, id);
create index event_at on insights.event (at);
-- takes what arrives before the partition of its day exists
create table insights.event_default partition of insights.event default;

-- Page speed as visitors' browsers measured it; nothing tells whose.
create table insights.web_vital (
  day date not null,
  id uuid not null,
  market text not null,
  mode text not null,
  page_name text not null,
  device text not null,
  -- FCP, LCP, CLS, INP, TTFB, or INTERACTION for one of the slowest interactions of a page view
  metric text not null,
  value real not null,
  -- of an interaction: its type and element
  detail text,
  version text not null,
  at timestamptz not null default now(),
  primary key (day, id)
) partition by range (day);
create index web_vital_metric on insights.web_vital (metric, day);
create table insights.web_vital_default partition of insights.web_vital default;

-- Views of products by signed-in customers, for the services that work for professionals.
create table insights.pro_event (
  id uuid primary key,
  market text not null,
  platform_id text not null,
  event text not null,
  visitor_id uuid not null,
  customer_id uuid not null,
  product_id bigint not null,
  category_id bigint,
  at timestamptz not null default now()
);
create index pro_event_customer on insights.pro_event (customer_id);
create index pro_event_visitor on insights.pro_event (visitor_id);
create index pro_event_at on insights.pro_event (at);

-- Counts of events by hour and by day; kept when the events are gone.
create table insights.roll_up (
  span text not null check (span in ('hour', 'day')),
  start timestamptz not null,
  market text not null,
  mode text not null,
  name text not null,
  page_name text not null,
  device text not null,
  events bigint not null,
  visitors bigint not null,
  primary key (span, start, market, mode, name, page_name, device)
);

-- How far each external service has received events.
create table insights.forwarded (
  service text primary key,
  received_at timestamptz not null,
  event_id uuid not null
);
