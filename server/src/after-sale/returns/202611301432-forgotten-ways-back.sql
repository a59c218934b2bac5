-- When the personal data of a way back was removed, here and at the carrier, which may have it without a label having been stored.
alter table returns.request add column forgotten_at timestamptz;
