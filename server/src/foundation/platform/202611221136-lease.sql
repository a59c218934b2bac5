-- Work that one process at a time may do. Whoever takes a lease gets the next epoch; a holder of an older one has lost it.
create table platform.lease (
  name text primary key,
  epoch bigint not null,
  -- Null once it was released.
  holder jsonb,
  expires_at timestamptz not null
);
