create schema credit;

-- What the credit provider grants a company. The row is locked while an order is placed by invoice, so that two never exceed the limit together.
create table credit.line (
  company_id uuid not null,
  currency text not null check (currency in ('EUR', 'GBP')),
  -- minor units; null until the provider has been asked
  limit_amount integer check (limit_amount >= 0),
  is_accepted boolean,
  checked_at timestamptz,
  primary key (company_id, currency)
);

-- An invoice that the provider has paid and collects. Amounts in minor units; they only grow.
create table credit.claim (
  -- the invoice's id
  id uuid primary key,
  number text not null unique,
  payment_id uuid not null,
  customer_order_id text not null,
  seller_order_id text not null,
  company_id uuid not null,
  -- who ordered, and is reminded
  customer_id uuid,
  market text not null check (market ~ '^[a-z]{2}$'),
  mode text not null check (mode in ('b2c', 'b2b')),
  origin text not null,
  currency text not null check (currency in ('EUR', 'GBP')),
  amount integer not null check (amount > 0),
  credited integer not null default 0,
  repaid integer not null default 0,
  -- the provider's id; null if it refused the invoice, for this reason
  reference text,
  refused text,
  issued_on date not null,
  due_on date,
  reminders smallint not null default 0,
  updated_at timestamptz not null default now(),
  check ((reference is null) = (refused is not null)),
  check ((reference is null) = (due_on is null))
);
create index claim_company on credit.claim (company_id, issued_on desc, id desc);
create index claim_payment on credit.claim (payment_id);
create index claim_due on credit.claim (due_on) where reminders < 3 and reference is not null;

-- Inbox: the provider's messages about claims, once each.
create table credit.message (
  event_id text primary key,
  received_at timestamptz not null default now()
);

-- Requests for financing, which the operator answers in person.
create table credit.financing_request (
  id uuid primary key,
  number bigint not null unique,
  company_id uuid not null,
  customer_id uuid not null,
  market text not null check (market ~ '^[a-z]{2}$'),
  currency text not null check (currency in ('EUR', 'GBP')),
  amount integer not null check (amount > 0),
  months smallint not null check (months > 0),
  purpose text not null,
  phone text not null,
  requested_at timestamptz not null default now()
);
create index financing_company on credit.financing_request (company_id, requested_at desc);
