create schema conditions;

-- Companies that a seller treats alike.
create table conditions.company_group (
  id uuid primary key,
  seller_id integer not null,
  name text not null,
  created_at timestamptz not null default now(),
  unique (seller_id, name)
);
create table conditions.group_company (
  group_id uuid not null references conditions.company_group (id) on delete cascade,
  company_id uuid not null,
  primary key (group_id, company_id)
);
create index group_company_company on conditions.group_company (company_id);

-- Prices that a seller has agreed with companies, in one market.
create table conditions.price_list (
  id uuid primary key,
  seller_id integer not null,
  market text not null,
  name text not null,
  valid_from timestamptz not null,
  valid_to timestamptz,
  created_at timestamptz not null default now(),
  -- ended by the seller, whatever its validity
  ended_at timestamptz,
  check (valid_to > valid_from)
);
create index price_list_seller on conditions.price_list (seller_id, created_at desc);

-- A price of a product, or a percentage off a product or a category with its descendants.
create table conditions.price_rule (
  list_id uuid not null references conditions.price_list (id),
  position smallint not null,
  product_id bigint,
  category_id integer,
  -- hundredths of a percent off the seller's price of one piece for professionals
  percent_bp integer check (percent_bp between 1 and 9000),
  -- minor units, VAT included
  price integer check (price > 0),
  primary key (list_id, position),
  check (num_nonnulls(product_id, category_id) = 1),
  check (num_nonnulls(percent_bp, price) = 1),
  check (price is null or product_id is not null)
);
create index price_rule_product on conditions.price_rule (product_id, list_id) where product_id is not null;

-- The companies a list is for: one by one, or by group.
create table conditions.price_list_holder (
  list_id uuid not null references conditions.price_list (id),
  company_id uuid,
  group_id uuid references conditions.company_group (id),
  check (num_nonnulls(company_id, group_id) = 1)
);
create index price_list_holder_list on conditions.price_list_holder (list_id);
create index price_list_holder_company on conditions.price_list_holder (company_id) where company_id is not null;
create index price_list_holder_group on conditions.price_list_holder (group_id) where group_id is not null;
