-- Events are forgotten by their age, a day's worth at a time.
create index search_event_at on merchandising.search_event (at);
