create schema notify;

-- A mail that is owed: once per order and kind. The text is made when it is sent, from the order as sold.
create table notify.mail (
  id uuid primary key,
  customer_order_id text not null,
  kind text not null check (kind in ('confirmation', 'payment-failed', 'cancelled')),
  recipient text not null,
  state text not null default 'queued' check (state in ('queued', 'sent', 'parked')),
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  unique (customer_order_id, kind)
);
create index mail_queued on notify.mail (next_at) where state = 'queued';

-- The embedded mailbox: what would have left the house.
create table notify.mailbox (
  id uuid primary key,
  sender text not null,
  recipient text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  at timestamptz not null default now()
);
create index mailbox_at on notify.mailbox (at desc);
