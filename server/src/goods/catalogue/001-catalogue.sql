create schema catalogue;

create table catalogue.category (
  id integer primary key,
  parent_id integer references catalogue.category (id),
  -- 0 department … 3 leaf
  level smallint not null check (level between 0 and 3),
  position smallint not null,
  -- ids from the department down to this one
  path integer[] not null,
  -- key of the department's picture
  department text not null,
  -- by language
  names jsonb not null,
  slugs jsonb not null,
  texts jsonb not null default '{}'
);
create index category_parent on catalogue.category (parent_id);

create table catalogue.brand (
  id integer primary key,
  slug text not null,
  name text not null,
  -- 1 premium, 2 middle, 3 entry
  tier smallint not null,
  country text not null,
  texts jsonb not null default '{}'
);

create table catalogue.attribute (
  key text primary key,
  kind text not null check (kind in ('number', 'text')),
  names jsonb not null,
  -- by language; null without unit
  units jsonb,
  decimals smallint not null default 0,
  facet boolean not null default true
);

-- Words for attribute values that are keys ("blue", "brushless").
create table catalogue.attribute_word (
  value text primary key,
  names jsonb not null,
  hex text
);

create table catalogue.model (
  id bigint primary key,
  -- attribute keys its products differ by
  axes text[] not null
);

-- The master product: what is sold, whoever sells it.
create table catalogue.product (
  id bigint primary key,
  article_id bigint not null unique,
  model_id bigint references catalogue.model (id),
  brand_id integer not null references catalogue.brand (id),
  category_id integer not null references catalogue.category (id),
  family text not null,
  ean text not null,
  mpn text not null,
  -- by language
  titles jsonb not null,
  descriptions jsonb not null,
  slugs jsonb not null,
  -- { "voltage": 18, "color": "blue" }
  attributes jsonb not null,
  weight_g integer not null,
  -- sold by area, volume …: one article holds unit_quantity thousandths of unit_measure
  unit_measure text check (unit_measure in ('m2', 'l', 'kg', 'm', 'piece')),
  unit_quantity_milli integer,
  -- subset of { eco, local_fr, battery, bulky, sample, solar, top_sale }
  flags text[] not null default '{}',
  -- [{ "view": "main" }], drawn by the demo shop's pictures or files of the object store
  pictures jsonb not null,
  -- [{ "kind": "manual", "language": "en", "url": … }]
  documents jsonb not null default '[]',
  -- manufacturer and responsible person (GPSR)
  safety jsonb not null default '{}',
  rating numeric(2, 1),
  rating_count integer not null default 0,
  -- ranking signal, 0…1,000,000
  popularity integer not null default 0,
  status text not null default 'active' check (status in ('active', 'ended')),
  successor_id bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index product_category on catalogue.product (category_id, id);
create index product_model on catalogue.product (model_id) where model_id is not null;
create index product_brand on catalogue.product (brand_id, id);
create unique index product_ean on catalogue.product (ean);

create table catalogue.commercial_operation (
  id integer primary key,
  type text not null check (type in ('blackfriday', 'sales', 'productdays', 'promo')),
  market text not null,
  slug text not null,
  -- in the market's language: "Garden days"
  name text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null
);

-- What one seller asks for one product in one market.
create table catalogue.offer (
  id bigint primary key,
  product_id bigint not null references catalogue.product (id),
  seller_id integer not null references sellers.seller (id),
  market text not null check (market in ('es', 'fr', 'gb', 'de', 'it')),
  -- the same offer in its other markets shares this
  pim_offer_id bigint not null,
  condition text not null check (condition in ('new', 'never_used', 'refurbished_good', 'refurbished_very_good', 'used_good', 'used_very_good')),
  currency text not null check (currency in ('EUR', 'GBP')),
  -- minor units, VAT included
  price integer not null check (price > 0),
  -- what professionals pay, when the seller gives them a better price; VAT included too
  pro_price integer check (pro_price > 0),
  stock integer not null check (stock >= 0),
  -- sold in multiples of this
  bulk integer check (bulk > 1),
  max_quantity integer,
  -- a sample of the product: one per order
  is_sample boolean not null default false,
  -- fulfilled by the marketplace's own logistics (decision 13)
  is_mmf boolean not null default false,
  -- [{ "kind": "standard" | "express" | "relay" | "appointment", "fee": 490, "daysMin": 2, "daysMax": 4 }], fee in minor units with VAT
  delivery jsonb not null,
  commercial_operation_ids integer[] not null default '{}',
  promotion_ends_at timestamptz,
  -- code of a coupon that may be used on it, shown on the card
  coupon_code text,
  sponsored boolean not null default false,
  status text not null default 'active' check (status in ('draft', 'pending_match', 'active', 'paused', 'suspended', 'ended')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index offer_product on catalogue.offer (product_id, market);
create index offer_seller on catalogue.offer (seller_id, market, id);

-- Every change of stock, append-only: stock = sum of movements (invariant I2).
create table catalogue.stock_movement (
  id uuid primary key,
  offer_id bigint not null,
  delta integer not null,
  -- initial | reserved | released | correction
  reason text not null,
  -- order the movement belongs to
  reference text,
  at timestamptz not null default now()
);
create index stock_movement_offer on catalogue.stock_movement (offer_id);
