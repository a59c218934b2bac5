-- Moves of the pieces of a line through the states of a seller order, append-only: the states of lines, seller orders and
-- paid customer orders are derived from them.
create table orders.line_move (
  id uuid primary key,
  seller_order_id text not null references orders.seller_order (id),
  offer_id bigint not null,
  quantity integer not null check (quantity > 0),
  from_state text not null,
  to_state text not null check (to_state <> from_state),
  -- buyer | seller | carrier | operator | system
  actor text not null,
  -- account of the staff member or customer; null for jobs and carriers
  actor_id text,
  -- a code: out-of-stock, deadline-missed, carrier-lost ...
  reason text not null,
  note text,
  parcel_id uuid,
  at timestamptz not null default now(),
  -- when the next move of these pieces is due
  deadline timestamptz
);
create index line_move_part on orders.line_move (seller_order_id, at);
create index line_move_parcel on orders.line_move (parcel_id) where parcel_id is not null;
