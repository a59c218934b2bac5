create index concurrently approval_open on purchasing.approval (expires_at) where state = 'pending' or (state = 'approved' and not is_used);
drop index concurrently if exists purchasing.approval_pending;
