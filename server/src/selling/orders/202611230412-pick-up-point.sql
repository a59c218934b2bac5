-- The point that holds the parcels of this part, as of the sale; null for delivery to the door.
alter table orders.seller_order add column pick_up_point jsonb;
