-- Where the buyer of an order came from, with consent to statistics: the visitor is noted when it is placed, the channel is
-- found in their page views of thirty days once it is paid. Deleted after 90 days.
create table insights.order_channel (
  customer_order_id text primary key,
  visitor_id uuid not null,
  market text not null,
  mode text not null,
  placed_at timestamptz not null default now(),
  paid_at timestamptz,
  -- in minor units
  amount bigint,
  channel text,
  category text,
  campaign text
);
create index order_channel_visitor on insights.order_channel (visitor_id);
create index order_channel_paid on insights.order_channel (paid_at) where paid_at is not null;

-- Counts by day; kept when the events are gone. Empty texts stand for none.
create table insights.channel_day (
  day date not null,
  market text not null,
  mode text not null,
  channel text not null,
  category text not null,
  campaign text not null,
  visits bigint not null,
  orders bigint not null,
  revenue bigint not null,
  primary key (day, market, mode, channel, category, campaign)
);
create table insights.recommendation_day (
  day date not null,
  market text not null,
  mode text not null,
  placement text not null,
  source text not null,
  views bigint not null,
  clicks bigint not null,
  primary key (day, market, mode, placement, source)
);
