-- Invoices to erased buyers as they were, with their files, sealed like the details of orders.
create table privacy.retained_invoice (
  invoice_id uuid primary key,
  -- null for a subscription
  customer_order_id text,
  sealed bytea not null,
  key_id text not null,
  until timestamptz not null
);
create index retained_invoice_order on privacy.retained_invoice (customer_order_id);
create index retained_invoice_until on privacy.retained_invoice (until);
