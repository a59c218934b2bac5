-- Networks (or buyers, if the network is not counted) that were refused an offer because unpaid orders of others hold it; kept for an hour.
create table orders.waitlist (
  offer_id bigint not null,
  buyer text not null,
  at timestamptz not null default now(),
  primary key (offer_id, buyer)
);
create index waitlist_buyer on orders.waitlist (buyer);
