create schema cart;

-- One open cart per owner and market. Owner: 's:<session>' of a guest, 'c:<customer>' of somebody signed in.
create table cart.cart (
  id uuid primary key,
  owner text not null,
  market text not null check (market in ('es', 'fr', 'gb', 'de', 'it')),
  coupon_code text,
  -- grows with every change: an order knows which state of the cart it was made from
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (owner, market)
);

create table cart.line (
  cart_id uuid not null references cart.cart (id) on delete cascade,
  offer_id bigint not null,
  quantity integer not null check (quantity between 1 and 9999),
  -- price with VAT of one piece the buyer has last seen and agreed to, minor units
  seen_price integer not null,
  added_at timestamptz not null default now(),
  primary key (cart_id, offer_id)
);

create table cart.delivery_choice (
  cart_id uuid not null references cart.cart (id) on delete cascade,
  seller_id integer not null,
  kind text not null,
  primary key (cart_id, seller_id)
);

create table cart.coupon (
  -- upper case, without spaces
  code text primary key,
  market text not null check (market in ('es', 'fr', 'gb', 'de', 'it')),
  kind text not null check (kind in ('percent', 'amount', 'free-delivery')),
  -- percent: whole percent; amount: minor units with VAT; free-delivery: 0
  value integer not null check (value >= 0),
  -- value with VAT of the goods it applies to, minor units
  min_amount integer not null default 0,
  -- only goods of this seller (who then bears the discount) or of this category and below
  seller_id integer,
  category_id integer,
  -- first and last day in the market's own calendar
  starts_on date not null,
  ends_on date not null,
  total_limit integer check (total_limit > 0),
  per_customer_limit integer not null default 1 check (per_customer_limit > 0),
  used integer not null default 0 check (used >= 0),
  -- last line behind the guarded update
  check (total_limit is null or used <= total_limit)
);

-- One row per use; the ordinal makes the limit per customer hold among parallel orders.
create table cart.coupon_redemption (
  code text not null references cart.coupon (code),
  -- e-mail without case and sub-address, or customer id
  customer_key text not null,
  ordinal integer not null,
  customer_order_id text not null,
  at timestamptz not null default now(),
  primary key (code, customer_key, ordinal),
  unique (customer_order_id, code)
);

create table cart.coupon_attempt (
  owner text not null,
  at timestamptz not null
);
create index coupon_attempt_owner on cart.coupon_attempt (owner, at);
