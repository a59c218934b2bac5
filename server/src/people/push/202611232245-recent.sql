-- Messages of the last week that went to a browser: their keys and times, by which there are never too many.
alter table push.subscription add column recent jsonb not null default '{}';
