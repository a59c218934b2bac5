-- Messages of the carrier, by its own id: the same one counts once.
create table fulfilment.carrier_message (
  id text primary key,
  received_at timestamptz not null default now()
);
create index carrier_message_received on fulfilment.carrier_message (received_at);

-- When the carrier was last asked about a parcel by itself.
alter table fulfilment.parcel add column asked_at timestamptz;
