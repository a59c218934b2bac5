create schema quotes;

create table quotes.quote (
  id uuid primary key,
  number text not null unique,
  seller_id integer not null,
  market text not null,
  origin text not null,
  company_id uuid not null,
  customer_id uuid not null,
  email text not null,
  state text not null check (state in ('requested', 'answered', 'refused', 'declined', 'withdrawn', 'expired', 'accepted', 'ordered')),
  message text not null,
  wanted_on date,
  created_at timestamptz not null default now(),
  -- a request without an answer expires then; an answered or accepted quote at valid_until
  answer_by timestamptz not null,
  answered_at timestamptz,
  valid_until timestamptz,
  -- minor units, VAT included
  delivery integer check (delivery >= 0),
  note text not null default '',
  order_id text,
  check (state not in ('answered', 'accepted', 'ordered') or (valid_until is not null and delivery is not null))
);
create index quote_company on quotes.quote (company_id, created_at desc);
create index quote_seller on quotes.quote (seller_id, id desc);
create index quote_due on quotes.quote (answer_by) where state in ('requested', 'answered', 'accepted');

create table quotes.line (
  quote_id uuid not null references quotes.quote (id) on delete cascade,
  position smallint not null,
  offer_id bigint not null,
  title text not null,
  url text not null,
  quantity integer not null check (quantity > 0),
  -- per piece, minor units, VAT included: as asked without a quote, and as quoted
  list_price integer not null,
  price integer check (price > 0),
  vat_rate_bp integer not null,
  primary key (quote_id, offer_id)
);
