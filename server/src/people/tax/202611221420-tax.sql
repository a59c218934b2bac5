create schema tax;

-- How invoices name a customer ("customer:<id>") or a company ("company:<id>"), and what is known of its VAT number.
create table tax.record (
  owner text primary key check (owner ~ '^(customer|company):[0-9a-f-]{36}$'),
  legal_name text,
  line1 text,
  line2 text,
  postcode text,
  city text,
  -- ISO 3166-1 alpha-2
  country text check (country ~ '^[A-Z]{2}$'),
  -- of a company; a person's is in the profile
  fiscal_number text,
  -- Italy: where electronic invoices are delivered
  sdi_code text,
  pec text,
  -- with the prefix of its register, in upper case, without blanks
  vat_number text,
  vat_state text check (vat_state in ('valid', 'not-valid', 'pending')),
  -- answers in a row that contradict the state
  vat_doubts smallint not null default 0,
  -- attempts in a row without an answer
  vat_tries smallint not null default 0,
  -- the last answer of the register
  vat_checked_at timestamptz,
  vat_next_at timestamptz,
  updated_at timestamptz not null default now(),
  check ((vat_number is null) = (vat_state is null))
);
create index record_due on tax.record (vat_next_at) where vat_next_at is not null;
create index record_vat_number on tax.record (vat_number) where vat_number is not null;

-- Every answer of a register, append-only: the proof that a number was checked.
create table tax.answer (
  id uuid primary key,
  owner text not null,
  vat_number text not null,
  service text not null check (service in ('vies', 'hmrc')),
  outcome text not null check (outcome in ('valid', 'not-valid', 'unanswered')),
  -- why there was no answer: the register's own code
  fault text,
  -- the register's receipt, given to requesters with a VAT number of their own
  consultation_number text,
  -- the VAT number we asked with
  requester text,
  name text,
  address text,
  asked_at timestamptz not null default now(),
  -- the body as it came
  body jsonb
);
create index answer_owner on tax.answer (owner, asked_at desc);
