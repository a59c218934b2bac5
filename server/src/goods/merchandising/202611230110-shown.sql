-- Products a query showed, and a hash of the network an event came from: events count for what was really shown, once per sender.
alter table merchandising.asked add column shown text[] not null default '{}';
alter table merchandising.search_event add column sender_hash text;
