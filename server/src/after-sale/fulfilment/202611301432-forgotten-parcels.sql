-- When the personal data of a parcel was removed, here and at the carrier, which may have it without a label having been stored.
alter table fulfilment.parcel add column forgotten_at timestamptz;
