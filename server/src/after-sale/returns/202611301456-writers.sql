-- The customer who asked for a return, as the owner of their things: a colleague of the buyer perhaps. Null for those of earlier releases.
alter table returns.request add column written_by text;
