create index concurrently if not exists conversion_registered_company on companies.conversion (registered_company_id) where registered_company_id is not null;
