-- The visitor whose consent an entry was stored under; null for entries from before.
alter table history.entry add column visitor_id uuid;
