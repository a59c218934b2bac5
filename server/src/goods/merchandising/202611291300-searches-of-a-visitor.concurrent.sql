create index concurrently search_event_user on merchandising.search_event (user_token);
