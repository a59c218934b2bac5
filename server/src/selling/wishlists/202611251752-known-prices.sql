-- The storefront whose price with VAT known_price is. Null in older rows, which hold the price as it was shown: they count as the consumer
-- storefront's, where VAT is always included, and nothing is said of them on the professional one.
alter table wishlists.item add column known_mode text;
alter table wishlists.item add constraint item_known_mode check (known_mode in ('b2c', 'b2b')) not valid;
alter table wishlists.item validate constraint item_known_mode;
