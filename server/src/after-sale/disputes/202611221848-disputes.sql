create schema disputes;

-- A buyer and a seller who do not agree about a seller order; the operator decides if they cannot settle it.
create table disputes.dispute (
  id uuid primary key,
  -- what people are told
  number bigint not null unique,
  -- the message of the buyer that did not solve it
  message_id uuid not null unique,
  seller_order_id text not null,
  customer_order_id text not null,
  seller_id integer not null,
  market text not null check (market ~ '^[a-z]{2}$'),
  reason text not null,
  wish text not null,
  state text not null check (state in ('open', 'offered', 'mediation', 'decided', 'appealed', 'settled', 'closed', 'withdrawn')),
  -- minor units with VAT: what the buyer wants back, what the seller offers, what was decided
  wanted integer not null check (wanted >= 0),
  offered integer check (offered >= 0),
  decided integer check (decided >= 0),
  -- the next move is expected by then; null once it has ended
  due_at timestamptz,
  refund_id text,
  opened_at timestamptz not null,
  ended_at timestamptz
);
-- one at a time about a seller order
create unique index dispute_open on disputes.dispute (seller_order_id) where ended_at is null;
create index dispute_seller on disputes.dispute (seller_id, market, opened_at desc);
create index dispute_due on disputes.dispute (due_at) where due_at is not null;
create index dispute_order on disputes.dispute (customer_order_id);

-- Everything that happened in a dispute, append-only.
create table disputes.step (
  dispute_id uuid not null references disputes.dispute (id) on delete cascade,
  position integer not null,
  actor text not null check (actor in ('buyer', 'seller', 'operator', 'system')),
  action text not null,
  note text not null,
  amount integer,
  -- [{ id, name }] of uploads
  files jsonb not null default '[]',
  at timestamptz not null,
  primary key (dispute_id, position)
);
