create schema messages;

-- What buyer, seller and operator write to each other about a seller order.
create table messages.conversation (
  id uuid primary key,
  seller_order_id text not null unique,
  customer_order_id text not null,
  seller_id integer not null,
  market text not null check (market ~ '^[a-z]{2}$'),
  mode text not null check (mode in ('b2c', 'b2b')),
  -- the buyer, as ownerOf names them; follows the order at sign-in
  owner text not null check (owner <> ''),
  company_id uuid,
  -- the address the order was placed with
  email text not null,
  topic text not null,
  -- the order by which people recognise it: { sellerName, title, imageUrl, lineCount }
  about jsonb not null,
  -- numbers of messages: the last one, the last one from others for each side, and the last one each side has seen
  last_seq integer not null default 0,
  buyer_news integer not null default 0,
  buyer_read integer not null default 0,
  seller_news integer not null default 0,
  seller_read integer not null default 0,
  last_at timestamptz not null,
  -- the seller's answer is expected by then; null while none is
  answer_due_at timestamptz,
  remind_at timestamptz,
  -- the operator and the buyer were told that it is overdue
  late_told_at timestamptz,
  created_at timestamptz not null
);
create index conversation_owner on messages.conversation (owner, last_at desc);
create index conversation_company on messages.conversation (company_id, last_at desc) where company_id is not null;
create index conversation_seller on messages.conversation (seller_id, market, last_at desc, id);
create index conversation_order on messages.conversation (customer_order_id);
create index conversation_unread on messages.conversation (owner) where buyer_news > buyer_read;
create index conversation_remind on messages.conversation (remind_at) where remind_at is not null;
create index conversation_due on messages.conversation (answer_due_at) where answer_due_at is not null and late_told_at is null;

create table messages.message (
  id uuid primary key,
  conversation_id uuid not null references messages.conversation (id) on delete cascade,
  seq integer not null check (seq > 0),
  author text not null check (author in ('buyer', 'seller', 'operator')),
  -- the owner key of the buyer, or the id of the member of staff
  written_by text not null,
  body text not null,
  -- contact data or links were removed
  is_masked boolean not null,
  -- [{ id, name }] of uploads
  files jsonb not null default '[]',
  at timestamptz not null,
  unique (conversation_id, seq)
);

-- Messages reported as abusive, for the operator.
create table messages.report (
  message_id uuid not null references messages.message (id) on delete cascade,
  reporter text not null check (reporter in ('buyer', 'seller')),
  reason text not null,
  note text not null,
  at timestamptz not null,
  closed_at timestamptz,
  primary key (message_id, reporter)
);
create index report_open on messages.report (at) where closed_at is null;

-- How helpful a buyer found an answer.
create table messages.rating (
  message_id uuid primary key references messages.message (id) on delete cascade,
  seller_id integer not null,
  stars smallint not null check (stars between 1 and 5),
  at timestamptz not null
);
create index rating_seller on messages.rating (seller_id, at);
