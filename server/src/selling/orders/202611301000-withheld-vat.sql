-- VAT of supplies for which the law makes the marketplace the supplier: kept from the seller's money. Null where the seller
-- accounts for it, as for all orders from before it was stored, which were paid out in full.
alter table orders.seller_order add column withheld_vat integer;
