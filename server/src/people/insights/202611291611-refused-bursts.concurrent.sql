-- A withdrawal deletes rejected bursts that name its visitor.
create index concurrently event_burst_refused on insights.event_burst (received_at) where problem is not null;
