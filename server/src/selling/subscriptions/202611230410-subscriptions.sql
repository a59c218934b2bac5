create schema subscriptions;

-- A company's subscription to Purlin Pro, in the market in which it was begun.
create table subscriptions.subscription (
  id uuid primary key,
  company_id uuid not null,
  customer_id uuid not null,
  market text not null check (market ~ '^[a-z]{2}$'),
  origin text not null,
  -- incomplete: no card yet
  state text not null check (state in ('incomplete', 'trialing', 'active', 'past-due', 'ended')),
  period text not null check (period in ('yearly', 'monthly')),
  -- from the next renewal on
  next_period text check (next_period in ('yearly', 'monthly')),
  has_trial boolean not null,
  -- until then the company has its benefits: the trial, or the period it has paid for
  paid_until timestamptz,
  -- the next charge
  due_at timestamptz,
  -- day of the month on which periods begin
  anchor_day smallint,
  cancels_at_end boolean not null default false,
  -- number of the last charge
  charges integer not null default 0,
  provider text,
  provider_customer text,
  card_reference text,
  card_brand text,
  card_last4 text,
  card_expiry_year smallint,
  card_expiry_month smallint,
  created_at timestamptz not null,
  reminded_for timestamptz,
  ended_at timestamptz,
  end_reason text check (end_reason in ('cancelled', 'unpaid', 'withdrawn'))
);
create unique index subscription_live on subscriptions.subscription (company_id) where state <> 'ended';
create index subscription_company on subscriptions.subscription (company_id, created_at desc);
create index subscription_due on subscriptions.subscription (due_at) where state in ('trialing', 'active');

-- The entry of a card at the provider.
create table subscriptions.setup (
  id uuid primary key,
  subscription_id uuid not null references subscriptions.subscription (id),
  state text not null check (state in ('requested', 'open', 'done', 'failed')),
  reference text,
  frame_url text,
  failure text,
  created_at timestamptz not null
);
create index setup_subscription on subscriptions.setup (subscription_id, created_at desc);
create index setup_open on subscriptions.setup (created_at) where state in ('requested', 'open');

-- One per period. Minor units.
create table subscriptions.charge (
  id uuid primary key,
  subscription_id uuid not null references subscriptions.subscription (id),
  sequence integer not null check (sequence > 0),
  period text not null check (period in ('yearly', 'monthly')),
  due_at timestamptz not null,
  net integer not null check (net > 0),
  vat integer not null check (vat >= 0),
  gross integer not null,
  rate_bp integer not null,
  treatment text not null check (treatment in ('domestic', 'gb', 'reverse-charge')),
  currency text not null check (currency in ('EUR', 'GBP')),
  state text not null check (state in ('due', 'paid', 'failed', 'abandoned', 'refunding', 'refunded')),
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  reference text,
  failure text,
  period_start timestamptz,
  period_end timestamptz,
  paid_at timestamptz,
  refunded_at timestamptz,
  unique (subscription_id, sequence),
  check (net + vat = gross)
);
create index charge_due on subscriptions.charge (next_attempt_at) where state = 'due';
