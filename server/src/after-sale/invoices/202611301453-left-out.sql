-- The cancellations whose share of delivery was left out of a part's first invoice: later ones are credited. Null for invoices of earlier releases.
alter table invoices.invoice add column left_out uuid[];
