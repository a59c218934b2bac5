-- Parcels are found by `forgotten_at`.
drop index fulfilment.parcel_labelled;
