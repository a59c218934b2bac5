-- The history of an offer's price belongs to whoever writes that price. The view serves processes of the previous release
-- during an upgrade; nothing reads it after that.
alter table pricing.price_history set schema catalogue;
create view pricing.price_history as select offer_id, price, valid_from from catalogue.price_history;
