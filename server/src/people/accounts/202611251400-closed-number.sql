-- Numbers of closed companies as keyed hashes: the same company again is neither new to the credit limit nor to trials.
create table accounts.closed_number (
  hash bytea not null,
  company_id uuid not null,
  closed_at timestamptz not null default now(),
  primary key (hash, company_id)
);
