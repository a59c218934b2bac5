-- The amount without VAT, minor units; null in rows from before until they are filled.
alter table purchasing.spend add column net integer;
