-- What a person has written, also about the orders of colleagues: for the copy of their data, and their erasure.
create index concurrently message_buyer on messages.message (written_by) where author = 'buyer';
