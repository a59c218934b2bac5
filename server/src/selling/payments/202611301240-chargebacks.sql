-- Money of payments that the buyers' banks take back (chargebacks): one row per dispute at the provider.
create table payments.chargeback (
  id uuid primary key,
  provider text not null,
  -- the provider's id of the dispute
  reference text not null,
  payment_id uuid not null references payments.payment (id),
  customer_order_id text not null,
  market text not null,
  state text not null check (state in ('open', 'won', 'lost')),
  -- minor units
  amount integer not null check (amount > 0),
  currency text not null,
  reason text not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  unique (provider, reference)
);
create index chargeback_order on payments.chargeback (customer_order_id);
create index chargeback_market on payments.chargeback (market, opened_at);
