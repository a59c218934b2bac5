create schema if not exists history;

-- Products a customer has seen: at most 20, of the last three months.
create table history.entry (
  customer_id uuid not null,
  product_id bigint not null,
  viewed_at timestamptz not null,
  primary key (customer_id, product_id)
);
