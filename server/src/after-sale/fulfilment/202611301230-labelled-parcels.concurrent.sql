-- Parcels whose personal data is still there.
create index concurrently parcel_labelled on fulfilment.parcel (created_at) where label_file is not null;
