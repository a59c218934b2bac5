create schema payouts;

-- Seller orders whose money is still with the marketplace. When it is due; amounts are in the ledger alone.
create table payouts.sale (
  seller_order_id text primary key,
  customer_order_id text not null,
  seller_id integer not null,
  market text not null,
  currency text not null check (currency in ('EUR', 'GBP')),
  -- minor units, for the statement: what was sold, and the commission on it
  sold integer not null,
  commission integer not null,
  commission_vat integer not null,
  -- end of the return period; null while pieces are on their way
  payable_at timestamptz,
  -- open again when something is booked after its settlement
  is_open boolean not null default true,
  settled_at timestamptz
);
create index sale_due on payouts.sale (currency, seller_id, seller_order_id) where is_open and payable_at is not null;

-- One per seller and currency: the row that is locked while a payout is closed, and where the money goes.
create table payouts.account (
  seller_id integer not null,
  currency text not null check (currency in ('EUR', 'GBP')),
  -- sealed; null until the seller has named one
  bank bytea,
  bank_end text check (length(bank_end) = 4),
  bank_holder text,
  changed_at timestamptz,
  changed_by text,
  -- a changed account is not paid to before this
  usable_from timestamptz,
  primary key (seller_id, currency)
);

create table payouts.run (
  id uuid primary key,
  -- 'weekly:EUR:2026-11-23' or 'operator:EUR:<key>'
  key text not null unique,
  currency text not null check (currency in ('EUR', 'GBP')),
  cause text not null check (cause in ('schedule', 'operator')),
  -- sales that were payable by then
  cutoff timestamptz not null,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  -- pain.001 for the bank
  sepa_file text
);
create index run_latest on payouts.run (started_at desc);

-- What a run paid, or carried forward, for one seller. opening + settled = amount + closing, what is owed to the seller counts positive.
create table payouts.payout (
  id uuid primary key,
  number bigint not null unique,
  run_id uuid not null references payouts.run (id),
  seller_id integer not null,
  currency text not null,
  opening bigint not null,
  settled bigint not null,
  amount bigint not null check (amount >= 0),
  closing bigint not null,
  state text not null check (state in ('carried', 'requested', 'sent', 'paid', 'failed', 'returned')),
  -- negative | below-minimum | no-account | account-changed
  carry_reason text check ((carry_reason is not null) = (state = 'carried')),
  failure_code text,
  -- sealed account as of the run, and its last characters
  bank bytea,
  bank_end text,
  provider_reference text,
  pdf_file text,
  csv_file text,
  created_at timestamptz not null,
  ended_at timestamptz,
  unique (run_id, seller_id),
  check (opening + settled = amount + closing)
);
create index payout_seller on payouts.payout (seller_id, currency, number desc);
create index payout_open on payouts.payout (created_at) where state in ('requested', 'sent');

create table payouts.line (
  run_id uuid not null references payouts.run (id),
  seller_id integer not null,
  seller_order_id text not null,
  customer_order_id text not null,
  market text not null,
  -- minor units; zero where the sale itself was settled earlier
  sold integer not null,
  commission integer not null,
  commission_vat integer not null,
  -- refunds less their commission
  refunded integer not null,
  amount integer not null,
  primary key (run_id, seller_id, seller_order_id),
  check (amount = sold - commission - commission_vat - refunded)
);
create index line_order on payouts.line (seller_order_id);

-- The same order is settled once per run, and runs of one currency are told apart by their keys; nothing here is deleted.
