create index concurrently if not exists company_vat_number on accounts.company (vat_number) where vat_number is not null;
