-- Messages that were not taken in a row, and since when: a subscription that takes none any more is deleted.
alter table push.subscription add column failures integer not null default 0;
alter table push.subscription add column failing_since timestamptz;
