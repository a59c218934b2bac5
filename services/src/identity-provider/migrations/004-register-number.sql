-- Businesses without a VAT number prove themselves by their number in the company register.
alter table identity.account add column register_number text;
