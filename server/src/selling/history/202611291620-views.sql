-- When each visitor saw a product of an account's history: an entry stays until the last of them withdraws. One stored before is
-- copied here when another visitor adds to it.
create table history.view (
  customer_id uuid not null,
  product_id bigint not null,
  visitor_id uuid not null,
  viewed_at timestamptz not null,
  primary key (customer_id, product_id, visitor_id)
);
create index view_visitor on history.view (visitor_id);
