create schema reminders;

-- The last reminder of a customer's basket on a storefront: one that still holds goods of that time is not reminded of again.
create table reminders.basket (
  customer_id uuid not null,
  market text not null,
  mode text not null check (mode in ('b2c', 'b2b')),
  channel text not null check (channel in ('email', 'push')),
  at timestamptz not null,
  primary key (customer_id, market, mode)
);

-- Baskets whose last change is older have been looked at.
create table reminders.progress (
  only_one boolean primary key default true check (only_one),
  until timestamptz not null
);
