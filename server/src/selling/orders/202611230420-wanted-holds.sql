-- Stock held unpaid while others want it: who holds it, since when others were refused, and who has used up their time.
alter table orders.customer_order add column sender_hash text, add column wanted_at timestamptz;
create table orders.ended_hold (
  customer_order_id text not null,
  offer_id bigint not null,
  owner text not null,
  sender_hash text,
  until timestamptz not null,
  primary key (customer_order_id, offer_id)
);
create index ended_hold_offer on orders.ended_hold (offer_id);
