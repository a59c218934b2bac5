-- For erasure and the copy of one's data: what somebody has written.
create index concurrently step_writer on disputes.step (written_by) where written_by is not null;
