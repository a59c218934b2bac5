create index concurrently entry_visitor on history.entry (visitor_id) where visitor_id is not null;
