create schema ledger;

-- One booking; the key makes it happen once.
create table ledger.booking (
  id uuid primary key,
  key text not null unique,
  kind text not null check (kind in ('capture', 'refund')),
  customer_order_id text not null,
  currency text not null check (currency in ('EUR', 'GBP')),
  at timestamptz not null default now()
);
create index booking_order on ledger.booking (customer_order_id);

-- Its entries sum to zero; debit is positive.
create table ledger.entry (
  booking_id uuid not null references ledger.booking (id),
  position smallint not null,
  -- provider:<name> | seller:<id> | commission | vat-on-commission | coupons | unapplied
  account text not null,
  amount integer not null,
  primary key (booking_id, position)
);
create index entry_account on ledger.entry (account);

-- Append-only, for this role too where it is not a superuser.
revoke update, delete, truncate on ledger.booking, ledger.entry from public;
revoke update, delete, truncate on ledger.booking, ledger.entry from current_user;
