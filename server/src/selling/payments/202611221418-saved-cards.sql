-- The account that pays, where there is one: its saved cards may pay, and a card may be saved with the payment.
alter table payments.payment add column customer_id uuid;

-- A customer as the provider knows them.
create table payments.provider_customer (
  -- a row of accounts.customer
  customer_id uuid not null,
  provider text not null,
  reference text not null,
  created_at timestamptz not null default now(),
  primary key (customer_id, provider),
  unique (provider, reference)
);

-- Cards that customers have agreed to save, as the provider lists them. It keeps the card; here is what its owner knows it by.
create table payments.saved_card (
  id uuid primary key,
  customer_id uuid not null,
  provider text not null,
  -- the provider's token, which only this customer may pay with
  reference text not null,
  brand text not null,
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  expiry_year smallint not null,
  expiry_month smallint not null check (expiry_month between 1 and 12),
  is_default boolean not null default false,
  saved_at timestamptz not null,
  -- deleted here or at the provider; a list that is older than that brings it back no more
  removed_at timestamptz,
  unique (provider, reference),
  check (removed_at is null or not is_default)
);
create index saved_card_customer on payments.saved_card (customer_id, provider) where removed_at is null;
-- One default per customer, whatever two requests do at once.
create unique index saved_card_default on payments.saved_card (customer_id, provider) where is_default;
