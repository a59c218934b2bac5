create index concurrently claim_open on credit.claim (seen_at nulls first) where reference is not null and amount > credited + repaid - reversed;
