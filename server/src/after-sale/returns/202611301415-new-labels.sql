alter table returns.request
  -- labels before the present one, whose parcels the carrier has brought back
  add column label_round smallint not null default 0,
  -- the newest event that the carrier has reported of the present one's parcel
  add column reported_at timestamptz;
