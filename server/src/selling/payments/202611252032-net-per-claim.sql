-- The part of `refunded` that the credit provider never had an invoice of; null for cards, and where the provider did not report it.
alter table payments.payment add column reduced integer;
