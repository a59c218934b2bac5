-- A VAT number is valid, but its register does not say whose it is.
alter table companies.conversion
  drop constraint conversion_reason_check,
  add constraint conversion_reason_check check (reason in ('register-number', 'name-undisclosed', 'name-differs', 'known-company', 'vat-not-valid', 'not-a-company')) not valid;
