-- Paid orders of the last days, so that a purchase is forwarded with the amount that was paid, not with one a browser claims.
create table insights.purchase (
  -- a hash of the order's number
  transaction text primary key,
  market text not null,
  amount bigint not null,
  currency text not null,
  at timestamptz not null default now()
);
create index purchase_at on insights.purchase (at);
