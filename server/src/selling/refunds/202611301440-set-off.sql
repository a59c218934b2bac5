-- The part of a refund's amount that a lost chargeback has paid. Minor units.
alter table refunds.refund add column set_off integer not null default 0;
alter table refunds.refund add constraint refund_set_off_check check (set_off between 0 and amount) not valid;
