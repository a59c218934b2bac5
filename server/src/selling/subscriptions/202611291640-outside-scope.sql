-- Services to companies of the United Kingdom from markets of the Union, and the other way round.
alter table subscriptions.charge drop constraint charge_treatment_check;
alter table subscriptions.charge
  add constraint charge_treatment_known check (treatment in ('domestic', 'gb', 'reverse-charge', 'outside-scope')) not valid;
