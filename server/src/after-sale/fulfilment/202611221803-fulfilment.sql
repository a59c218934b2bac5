create schema fulfilment;

-- Pieces of a seller order on their way together; which pieces, and their states, are in orders.line_move.
create table fulfilment.parcel (
  id uuid primary key,
  seller_order_id text not null,
  customer_order_id text not null,
  seller_id integer not null,
  market text not null,
  -- name of the carrier; 'embedded' for the one connected through the carrier port
  carrier text not null,
  -- null until the carrier has accepted the parcel
  tracking_number text,
  -- opens /track-my-parcel without signing in
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  label_file text,
  expected_by timestamptz,
  created_at timestamptz not null default now()
);
create index parcel_order on fulfilment.parcel (customer_order_id, created_at);
create unique index parcel_tracking on fulfilment.parcel (carrier, tracking_number) where tracking_number is not null;

-- What the carrier, or the seller for a carrier of their own, reports: append-only. A parcel's state is that of its latest event.
create table fulfilment.parcel_event (
  parcel_id uuid not null references fulfilment.parcel (id),
  -- the carrier's id of the event: the same one is recorded once
  source_id text not null,
  kind text not null,
  at timestamptz not null,
  -- town or depot; never an address
  place text,
  received_at timestamptz not null default now(),
  primary key (parcel_id, source_id)
);

-- Next deadline of a seller order, per kind; removed when nothing is left to wait for.
create table fulfilment.due (
  seller_order_id text not null,
  -- accept | ship | arrive | close
  kind text not null check (kind in ('accept', 'ship', 'arrive', 'close')),
  customer_order_id text not null,
  seller_id integer not null,
  market text not null,
  due_at timestamptz not null,
  -- consequences so far: 0 none, 1 reminded, 2 escalated
  step smallint not null default 0,
  next_at timestamptz not null,
  primary key (seller_order_id, kind)
);
create index due_next on fulfilment.due (next_at);
create index due_seller on fulfilment.due (seller_id, kind, due_at, seller_order_id);
