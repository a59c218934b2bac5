-- What was invoiced in a month, for its commissions.
create index concurrently invoice_sold on invoices.invoice (issued_at) where kind in ('sale', 'credit-note');
