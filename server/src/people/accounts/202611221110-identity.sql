-- How people are known to identity providers: by issuer and subject, never by an e-mail address.
create table accounts.identity (
  issuer text not null,
  subject text not null,
  customer_id uuid references accounts.customer (id),
  staff_id uuid references accounts.staff (id),
  -- the company the identity was registered with
  company_id uuid references accounts.company (id),
  linked_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  primary key (issuer, subject),
  check (num_nonnulls(customer_id, staff_id) = 1),
  check (company_id is null or customer_id is not null)
);
create index identity_customer on accounts.identity (customer_id) where customer_id is not null;

alter table accounts.session
  -- the auth provider somebody signed in with
  add column provider text,
  -- sessions of one sign-in, on the hosts it was carried to: they end together
  add column sign_in_id uuid,
  -- why the session counts no more; its owner is asked to sign in again
  add column error text,
  -- until then the identity provider vouches for it, and is asked again afterwards
  add column fresh_until timestamptz;
