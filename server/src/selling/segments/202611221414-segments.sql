create schema segments;

-- Segments of a customer by source; which source may set which field: segments.ts. Values are kept as they came.
create table segments.customer (
  customer_id uuid primary key,
  -- by the nightly job, from orders and visits
  computed jsonb not null default '{}',
  computed_at timestamptz,
  -- by programs outside of the shop
  imported jsonb not null default '{}',
  imported_at timestamptz,
  -- by the customer
  declared jsonb not null default '{}',
  declared_at timestamptz,
  -- to the day; outlives the sessions it is read from
  last_visit_at timestamptz
);
