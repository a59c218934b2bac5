-- What the buyer wants back of the price of goods they keep.
alter table returns.request add column wished_amount integer;
