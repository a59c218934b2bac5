create schema pricing;

-- Which rate applies: the most specific row valid on the date wins (category and its descendants before the market's standard).
create table pricing.vat_rule (
  id integer primary key,
  market text not null,
  -- null: the market's standard rate
  category_id integer,
  rate_bp integer not null check (rate_bp >= 0),
  -- set on price blocks made under this rule: 'hasNoVATForDE'
  flag text,
  valid_from date not null,
  valid_to date
);

-- Append-only: each price an offer has had. The retail price of a reduction is read from it (Omnibus).
create table pricing.price_history (
  offer_id bigint not null,
  -- minor units, VAT included
  price integer not null,
  valid_from timestamptz not null,
  primary key (offer_id, valid_from)
);
