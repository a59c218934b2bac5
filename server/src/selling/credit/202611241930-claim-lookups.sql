-- When a claim was last compared with the provider's; null for never.
alter table credit.claim add column seen_at timestamptz;
