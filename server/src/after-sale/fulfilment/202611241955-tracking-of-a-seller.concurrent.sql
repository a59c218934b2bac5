-- A number that a seller reports for a carrier of their own keeps no other seller from reporting it.
create unique index concurrently parcel_tracking_of_seller on fulfilment.parcel (carrier, tracking_number, seller_id) where tracking_number is not null;
drop index concurrently if exists fulfilment.parcel_tracking;
