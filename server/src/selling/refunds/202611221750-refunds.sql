create schema refunds;

-- Money that goes back to a buyer: one row per refund, whatever caused it.
create table refunds.refund (
  id uuid primary key,
  -- quoted in mails and transfers
  number bigint not null unique,
  -- what caused it, as an idempotency key: 'cancellation:<id>'
  key text not null unique,
  customer_order_id text not null,
  seller_order_id text not null,
  payment_id uuid not null,
  cause text not null check (cause in ('cancellation', 'withdrawal', 'return', 'dispute', 'goodwill', 'lost')),
  state text not null default 'requested' check (state in ('requested', 'iban-needed', 'transferring', 'on-hold', 'done')),
  -- minor units with VAT: the lines and an amount that belongs to none of them
  amount integer not null check (amount > 0),
  currency text not null,
  market text not null,
  borne_by text not null check (borne_by in ('seller', 'marketplace')),
  -- the provider's reason for not refunding the card
  failure_code text,
  -- holder and IBAN, sealed; blanked once the money has arrived
  account bytea,
  iban_end text check (length(iban_end) = 4),
  -- how often an account was tried: part of the key of the transfer
  transfers integer not null default 0,
  requested_at timestamptz not null default now(),
  done_at timestamptz
);
create index refund_order on refunds.refund (customer_order_id, requested_at);
create index refund_seller_order on refunds.refund (seller_order_id);
create index refund_open on refunds.refund (requested_at) where state <> 'done';

create table refunds.line (
  refund_id uuid not null references refunds.refund (id),
  offer_id bigint not null,
  -- 0: a part refund of goods that stay with the buyer
  quantity integer not null check (quantity >= 0),
  goods integer not null check (goods >= 0),
  delivery integer not null check (delivery >= 0),
  primary key (refund_id, offer_id)
);
