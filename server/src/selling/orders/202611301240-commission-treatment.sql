-- How the VAT on a seller's commission was determined, and its rate, as booked: the commission invoice states the same. Null for orders
-- from before, whose VAT followed the market.
alter table orders.seller_order add column commission_treatment text;
alter table orders.seller_order add column commission_vat_bp integer;
