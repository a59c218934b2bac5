-- VAT that the marketplace owes as the supplier and keeps from what was sold; for the statement.
alter table payouts.sale add column withheld_vat integer not null default 0;
alter table payouts.line add column withheld_vat integer not null default 0;
alter table payouts.line drop constraint line_check;
alter table payouts.line
  add constraint line_adds_up check (amount = sold - commission - commission_vat - withheld_vat - refunded) not valid;
