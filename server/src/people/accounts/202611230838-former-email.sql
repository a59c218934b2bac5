-- Addresses a customer had before the present one: an erasure covers what was sent to them, or entered under them.
create table accounts.former_email (
  customer_id uuid not null references accounts.customer (id),
  email text not null,
  until timestamptz not null default now(),
  primary key (customer_id, email)
);
