create schema contact;

-- What people wrote with the forms of the shop.
create table contact.message (
  id uuid primary key,
  -- what is said to the sender
  reference bigint not null unique,
  kind text not null check (kind in ('question', 'order', 'report', 'accessibility', 'website', 'withdrawal')),
  market text not null,
  mode text not null check (mode in ('b2c', 'b2b')),
  name text not null,
  email text not null,
  -- as typed: nobody has looked whether there is such an order
  order_id text,
  body text not null,
  session_id text not null,
  -- SHA-256 of the sender's network address, for the limit per hour; forgotten after a day
  sender_hash text,
  at timestamptz not null default now()
);
create index message_email on contact.message (email, at);
create index message_session on contact.message (session_id, at);
create index message_sender on contact.message (sender_hash, at) where sender_hash is not null;
