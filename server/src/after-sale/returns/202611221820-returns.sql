create schema returns;

-- Requests of buyers to cancel pieces. Pieces that wait for the seller are cancelled at once and need no decision.
create table returns.cancellation (
  id uuid primary key,
  customer_order_id text not null,
  seller_order_id text not null,
  seller_id integer not null,
  market text not null,
  reason text not null check (reason in ('changed-mind', 'found-cheaper', 'too-late', 'ordered-twice', 'wrong-address', 'other')),
  -- done: nothing needed the seller · overtaken: the pieces were sent before the seller decided
  state text not null check (state in ('done', 'requested', 'granted', 'refused', 'overtaken')),
  -- [{ offerId, now, asked }]: pieces cancelled at once, and those the seller is asked about
  lines jsonb not null,
  note text,
  requested_at timestamptz not null default now(),
  decided_at timestamptz
);
create index cancellation_part on returns.cancellation (seller_order_id, requested_at);
create index cancellation_open on returns.cancellation (seller_id, requested_at) where state = 'requested';

-- Goods on their way back, or to be put right where they are.
create table returns.request (
  id uuid primary key,
  -- quoted in mails and on labels
  number bigint not null unique,
  customer_order_id text not null,
  seller_order_id text not null,
  seller_id integer not null,
  market text not null,
  -- changed-mind | wrong | damaged | defective | missing-part
  reason text not null check (reason in ('changed-mind', 'wrong', 'damaged', 'defective', 'missing-part')),
  -- the right it rests on: withdrawal | guarantee | policy
  basis text not null check (basis in ('withdrawal', 'guarantee', 'policy')),
  wish text not null check (wish in ('refund', 'replacement', 'repair', 'part-refund')),
  method text not null check (method in ('label', 'home-collection', 'keep')),
  state text not null check (state in ('requested', 'refused', 'label-sent', 'in-transit', 'received', 'inspected', 'refunded', 'exchanged', 'closed')),
  -- [{ offerId, quantity }]
  lines jsonb not null,
  description text not null default '',
  -- ids of uploads
  photos uuid[] not null default '{}',
  -- what the seller found: as-described | used | incomplete | other-goods
  finding text,
  decision text,
  decision_note text,
  decided_amount integer check (decided_amount > 0),
  -- of the links in mails: only the hash
  token_hash bytea not null unique,
  rating smallint check (rating between 1 and 5),
  feedback text,
  requested_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index request_order on returns.request (customer_order_id, requested_at);
create index request_seller on returns.request (seller_id, requested_at) where state not in ('refused', 'refunded', 'exchanged', 'closed');

-- Every step, append-only.
create table returns.step (
  id uuid primary key,
  request_id uuid not null references returns.request (id),
  from_state text not null,
  to_state text not null,
  actor text not null,
  at timestamptz not null default now()
);
create index step_request on returns.step (request_id, at);

-- A carrier fetches the goods at the buyer's door.
create table returns.collection (
  request_id uuid primary key references returns.request (id),
  state text not null check (state in ('offered', 'booked', 'cancelled', 'collected')),
  day date not null,
  slot text not null check (slot in ('morning', 'afternoon')),
  address jsonb not null,
  updated_at timestamptz not null default now()
);
