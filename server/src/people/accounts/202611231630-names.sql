-- Given and family name apart: neither can be told from the full name.
alter table accounts.customer add column given_name text;
alter table accounts.customer add column family_name text;
-- Saved in the shop: the identity provider's names no longer replace them.
alter table accounts.customer add column is_name_own boolean not null default false;
