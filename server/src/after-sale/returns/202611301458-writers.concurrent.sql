-- For erasure and the copy of one's data: what somebody has written.
create index concurrently request_writer on returns.request (written_by) where written_by is not null;
