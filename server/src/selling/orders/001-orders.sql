create schema orders;

create table orders.customer_order (
  id text primary key check (id ~ '^[A-Za-z0-9_-]{8,40}$'),
  -- who made it: 's:<session>' or 'c:<customer>'
  owner text not null check (owner <> ''),
  cart_id uuid not null,
  -- state of the cart it was placed from
  cart_version integer,
  market text not null check (market in ('es', 'fr', 'gb', 'de', 'it')),
  mode text not null check (mode in ('b2c', 'b2b')),
  currency text not null check (currency in ('EUR', 'GBP')),
  tax_key text not null check (tax_key in ('with_vat', 'without_vat')),
  email text not null,
  state text not null check (state in ('draft', 'awaiting-payment', 'authorised', 'paid', 'part-shipped', 'shipped', 'delivered', 'closed', 'cancelled', 'part-refunded', 'refunded')),
  address jsonb not null,
  billing_address jsonb not null,
  coupon_code text,
  -- minor units; null until placed. Amounts with VAT unless named otherwise
  total integer check (total >= 0),
  -- totals as shown: { goods, delivery, discount, net, vat, total, vatLines: [{ rateBp, net, vat }] }
  totals jsonb,
  -- how often it has been placed: part of the keys of calls to the payment provider
  placement integer not null default 0,
  created_at timestamptz not null default now(),
  placed_at timestamptz,
  paid_at timestamptz,
  -- reserved stock goes back after this
  holds_until timestamptz,
  updated_at timestamptz not null default now()
);
create index customer_order_owner on orders.customer_order (owner, created_at desc);
create index customer_order_held on orders.customer_order (holds_until) where state = 'awaiting-payment';
-- a cart is being bought by one order at a time
create unique index customer_order_open on orders.customer_order (cart_id) where state in ('draft', 'awaiting-payment', 'authorised');

create table orders.seller_order (
  id text primary key,
  customer_order_id text not null references orders.customer_order (id),
  seller_id integer not null,
  state text not null check (state in ('awaiting-payment', 'pending', 'accepted', 'refused', 'preparing', 'shipped', 'delivered', 'incident-open', 'closed', 'cancelled')),
  -- the seller as it was when the order was placed
  seller jsonb not null,
  delivery_kind text not null,
  -- [{ kind, label, promise, fee, daysMin, daysMax }] as offered, the chosen one among them
  delivery_options jsonb not null,
  -- minor units with VAT
  goods integer not null,
  delivery integer not null,
  discount integer not null,
  total integer not null,
  -- what the seller bears of the discount
  seller_discount integer not null,
  -- minor units without VAT, and its VAT
  commission integer not null,
  commission_vat integer not null,
  unique (customer_order_id, seller_id),
  check (total = goods + delivery - discount and total >= 0)
);
create index seller_order_seller on orders.seller_order (seller_id, id);

create table orders.order_line (
  customer_order_id text not null references orders.customer_order (id),
  offer_id bigint not null,
  seller_order_id text not null references orders.seller_order (id),
  product_id bigint not null,
  position smallint not null,
  quantity integer not null check (quantity > 0),
  -- minor units with VAT
  unit_price integer not null,
  total integer not null,
  discount integer not null,
  -- net + vat = total - discount
  net integer not null,
  vat integer not null,
  vat_rate_bp integer not null,
  tax_key text not null,
  -- title, address and picture as sold: never changed afterwards
  snapshot jsonb not null,
  primary key (customer_order_id, offer_id),
  check (net + vat = total - discount),
  check (total = unit_price * quantity)
);
create index order_line_offer on orders.order_line (offer_id);

-- Every step of every order, append-only.
create table orders.transition (
  id uuid primary key,
  customer_order_id text not null,
  from_state text not null,
  to_state text not null,
  -- buyer | seller | system | provider
  actor text not null,
  cause text not null,
  at timestamptz not null default now()
);
create index transition_order on orders.transition (customer_order_id, at);

-- Links of mails: only the hash is kept.
create table orders.access_token (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  customer_order_id text not null references orders.customer_order (id),
  expires_at timestamptz not null
);

-- Who else may see an order: sessions that came by a mail link.
create table orders.access_grant (
  owner text not null check (owner <> ''),
  customer_order_id text not null references orders.customer_order (id),
  at timestamptz not null default now(),
  primary key (owner, customer_order_id)
);
