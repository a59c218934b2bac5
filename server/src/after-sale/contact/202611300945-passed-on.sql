-- Declarations of withdrawal that were passed on to the seller of a seller order. Its money waits until the declaration is dealt with.
create table contact.passed_on (
  seller_order_id text not null,
  message_id uuid not null,
  at timestamptz not null,
  ended_at timestamptz,
  primary key (seller_order_id, message_id)
);
