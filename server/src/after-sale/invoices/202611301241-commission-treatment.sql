-- The VAT on the commission as the order has it: what is taxed differently is invoiced separately. Null where the order has none.
alter table invoices.invoice add column commission_treatment text;
alter table invoices.invoice add column commission_vat_bp integer;
