create schema payments;

-- One placement of an order asks for one payment; several cards may be tried for it.
create table payments.payment (
  id uuid primary key,
  customer_order_id text not null,
  placement integer not null,
  provider text not null,
  state text not null check (state in ('initiated', 'action-required', 'authorised', 'captured', 'failed', 'expired', 'voided', 'part-refunded', 'refunded')),
  amount integer not null check (amount > 0),
  currency text not null check (currency in ('EUR', 'GBP')),
  market text not null check (market in ('es', 'fr', 'gb', 'de', 'it')),
  mode text not null check (mode in ('b2c', 'b2b')),
  -- scheme and host of the shop the buyer came from and goes back to
  origin text not null,
  method text not null default 'card',
  captured integer not null default 0,
  refunded integer not null default 0,
  -- the provider's id, and the address of its card fields
  provider_reference text,
  frame_url text,
  failure_code text,
  -- how often a card was authorised: each may be captured once, so it is part of the key of the capture
  authorisations integer not null default 0,
  -- brand and last four digits, all that is known of the card
  card_brand text,
  card_last4 text check (length(card_last4) = 4),
  -- nobody wants it any more, because of this: whatever the provider says, the money goes back
  abandoned text check (abandoned in ('expired', 'voided')),
  checks integer not null default 0,
  next_check_at timestamptz not null default now() + interval '20 seconds',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (customer_order_id, placement),
  unique (provider, provider_reference),
  check (refunded <= captured and captured <= amount)
);
create index payment_check on payments.payment (next_check_at)
  where state in ('initiated', 'action-required', 'authorised', 'failed');

-- Every step, append-only; what the table of steps did not allow is here with applied = false.
create table payments.transition (
  id uuid primary key,
  payment_id uuid not null,
  from_state text not null,
  to_state text not null,
  cause text not null,
  applied boolean not null,
  at timestamptz not null default now()
);
create index transition_payment on payments.transition (payment_id, at);

-- Inbox: what a provider told us, once each.
create table payments.webhook_event (
  provider text not null,
  event_id text not null,
  type text not null,
  provider_reference text not null,
  received_at timestamptz not null default now(),
  primary key (provider, event_id)
);
