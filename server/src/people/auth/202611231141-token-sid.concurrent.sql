create index concurrently token_sid on auth.token (sid) where sid is not null;
