-- How the pieces of a seller order have ended together, for lists by state: open while any is under way. Null where it was not
-- written: the state is then derived from the moves, as it is wherever an order is shown.
alter table orders.seller_order add column outcome text;
alter table orders.seller_order add constraint seller_order_outcome check (outcome in ('open', 'arrived', 'dropped')) not valid;
