-- The building site from whose list the line was added; null for others, and where lists of several sites added to it.
alter table cart.line add column site_id uuid;
