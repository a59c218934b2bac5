-- Labels before the present one, whose parcels the carrier has brought back.
alter table returns.request add column label_round smallint not null default 0;
