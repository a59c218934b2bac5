-- Months whose commissions have all been invoiced, or came to nothing. A month is open until then, however long ago it was.
create table invoices.commission_month (
  -- '2026-10'
  month text primary key,
  closed_at timestamptz not null
);
