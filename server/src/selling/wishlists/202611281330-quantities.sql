-- Pieces wanted of a product; null is one, or one pack.
alter table wishlists.item add column quantity integer;
alter table wishlists.item add constraint item_quantity check (quantity between 1 and 9999) not valid;
alter table wishlists.item validate constraint item_quantity;
