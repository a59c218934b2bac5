-- Refunds on hold of which the operator says that they are not owed.
alter table refunds.refund
  drop constraint refund_state_check,
  add constraint refund_state_check check (state in ('requested', 'iban-needed', 'transferring', 'on-hold', 'done', 'not-owed')) not valid;
