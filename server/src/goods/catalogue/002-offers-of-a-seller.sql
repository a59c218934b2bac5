-- The products a seller offers, in order and a page at a time, from the index alone.
create index offer_seller_product on catalogue.offer (seller_id, product_id);
drop index catalogue.offer_seller;
