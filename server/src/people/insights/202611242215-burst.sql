-- Events of a burst, as they came: one row for what many requests brought together. They move to insights.event when the
-- processor is free, within a minute at most.
create table insights.burst (
  id bigint generated always as identity primary key,
  -- objects with the fields of insights.event
  events jsonb not null,
  received_at timestamptz not null default now(),
  -- why they could not be moved
  problem text
);
alter table insights.burst alter column events set storage external;
create index burst_waiting on insights.burst (id) where problem is null;
