-- Takes the place of insights.burst, whose jsonb takes the text apart at once and costs twice the time. What the release
-- before this one has left there is moved, too; its contraction drops it.
create table insights.event_burst (
  id bigint generated always as identity primary key,
  -- what the events of a request share, and the events
  senders json not null,
  received_at timestamptz not null default now(),
  -- why they could not be moved
  problem text
);
alter table insights.event_burst alter column senders set storage external;
create index event_burst_waiting on insights.event_burst (id) where problem is null;
