-- A coupon may be for first orders alone, and an operator may end one before its last day.
alter table cart.coupon add column first_order_only boolean not null default false;
-- the day before it was ended, in the market's own calendar: its last day, if that is earlier than ends_on
alter table cart.coupon add column ended_on date;
alter table cart.coupon_redemption add column is_first_order boolean not null default false;

-- Who made or ended a coupon for everybody, and as what.
create table cart.coupon_change (
  id bigint generated always as identity primary key,
  code text not null references cart.coupon (code),
  change text not null check (change in ('made', 'ended')),
  -- id of a member of staff, or 'operator-key'
  changed_by text not null check (changed_by <> ''),
  changed_at timestamptz not null default now()
);
create index coupon_change_code on cart.coupon_change (code, id);
