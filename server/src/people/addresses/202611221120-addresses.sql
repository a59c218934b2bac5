create schema addresses;

-- Addresses customers keep for their next order.
create table addresses.address (
  id uuid primary key,
  -- a row of accounts.customer
  customer_id uuid not null,
  first_name text not null,
  last_name text not null,
  company text,
  line1 text not null,
  line2 text,
  postcode text not null,
  city text not null,
  country text not null check (country ~ '^[A-Z]{2}$'),
  phone text not null,
  instructions text,
  is_delivery_default boolean not null default false,
  is_billing_default boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index address_customer on addresses.address (customer_id, created_at);
-- One default of each kind per customer, whatever two requests do at once.
create unique index address_delivery_default on addresses.address (customer_id) where is_delivery_default;
create unique index address_billing_default on addresses.address (customer_id) where is_billing_default;
