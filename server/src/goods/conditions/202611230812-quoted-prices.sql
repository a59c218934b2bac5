-- Prices of accepted quotes: one customer's, for exactly this quantity, in one order.
create table conditions.quoted_price (
  quote_id uuid not null,
  offer_id bigint not null,
  seller_id integer not null,
  customer_id uuid not null,
  market text not null,
  quantity integer not null check (quantity > 0),
  -- minor units per piece, VAT included
  price integer not null check (price > 0),
  -- of the whole quote, minor units, VAT included
  delivery integer not null check (delivery >= 0),
  valid_until timestamptz not null,
  -- the order that takes them
  order_id text,
  primary key (quote_id, offer_id)
);
create index quoted_price_customer on conditions.quoted_price (customer_id, market);
create index quoted_price_order on conditions.quoted_price (order_id) where order_id is not null;
