-- A company's pages step over its ended lists, of which there may be thousands.
create index concurrently if not exists price_list_holder_company_ends on conditions.price_list_holder (company_id, ends_at) where company_id is not null;
create index concurrently if not exists price_list_holder_group_ends on conditions.price_list_holder (group_id, ends_at) where group_id is not null;
drop index concurrently if exists conditions.price_list_holder_company;
drop index concurrently if exists conditions.price_list_holder_group;
