-- Parcels whose personal data may still be there.
create index concurrently parcel_unforgotten on fulfilment.parcel (created_at) where forgotten_at is null;
