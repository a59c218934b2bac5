-- When the burst came that an event was in; null for those stored before, or without a burst. A withdrawal deletes what came before it,
-- and received_at is later: it is the time of the event's move, by which readers find what is new.
alter table insights.event add column arrived_at timestamptz;
