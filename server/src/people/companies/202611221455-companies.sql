create schema companies;

-- Customers who asked to become professional customers, with what was decided. The latest of a customer counts.
create table companies.conversion (
  id uuid primary key,
  customer_id uuid not null,
  state text not null check (state in ('lead', 'converted', 'refused')),
  -- why it waits for an operator, or was refused
  reason text check (reason in ('register-number', 'name-differs', 'known-company', 'vat-not-valid', 'not-a-company')),
  company_name text not null,
  country text not null check (country ~ '^[A-Z]{2}$'),
  vat_number text,
  register_number text,
  -- where it was asked, and where mails lead back to
  market text not null,
  mode text not null check (mode in ('b2c', 'b2b')),
  origin text not null,
  company_id uuid,
  -- 'register' (of VAT numbers) or 'operator'
  decided_by text,
  requested_at timestamptz not null default now(),
  decided_at timestamptz,
  check (num_nonnulls(vat_number, register_number) >= 1),
  check ((state = 'converted') = (company_id is not null))
);
create unique index conversion_lead on companies.conversion (customer_id) where state = 'lead';
create index conversion_customer on companies.conversion (customer_id, requested_at desc);
create index conversion_waiting on companies.conversion (requested_at) where state = 'lead';
