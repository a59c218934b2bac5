-- The visitor whose assignments a customer has on every device: the first with whom they were signed in and agreed to statistics.
create table experiments.customer (
  customer_id uuid primary key,
  unit uuid not null,
  since timestamptz not null default now()
);
create index customer_unit on experiments.customer (unit);

-- Of signed-in customers, so that several devices count as one person; and of one of 65,536 groups, the visitor's network.
alter table experiments.exposure add column unit uuid, add column network integer;

-- What a variation makes worse than the control, beyond what a few networks could have brought about.
alter table experiments.outcome add column harm text;
