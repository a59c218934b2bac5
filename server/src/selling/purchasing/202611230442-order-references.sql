-- What a company calls an order in its own books: read by invoices when goods leave.
create table purchasing.order_reference (
  customer_order_id text primary key,
  purchase_order text check (length(purchase_order) <= 40),
  cost_centre text check (length(cost_centre) <= 40),
  changed_by uuid not null,
  changed_at timestamptz not null default now(),
  check (num_nonnulls(purchase_order, cost_centre) >= 1)
);
