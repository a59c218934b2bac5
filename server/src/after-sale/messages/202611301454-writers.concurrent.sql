-- For erasure and the copy of one's data: what somebody has written.
create index concurrently message_writer on messages.message (written_by);
