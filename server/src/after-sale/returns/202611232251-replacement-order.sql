-- The order that replaces the returned pieces.
alter table returns.request add column replacement_order text;
