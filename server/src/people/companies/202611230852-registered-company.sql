-- The company somebody opened by registering as a professional: it has no VAT number until the request is decided.
alter table companies.conversion add column registered_company_id uuid;
