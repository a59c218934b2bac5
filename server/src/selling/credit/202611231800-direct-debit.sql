-- What the company's bank has taken back of what was paid. It only grows as well: `repaid - reversed` is what the provider has.
alter table credit.claim add column reversed integer not null default 0;

-- The day from which reminders count instead of the due date: the statement was to be collected, and was not.
alter table credit.statement add column dunned_from date;

-- SEPA direct-debit mandates of companies for their statements, with the evidence that they were given.
create table credit.mandate (
  id uuid primary key,
  company_id uuid not null,
  market text not null check (market ~ '^[a-z]{2}$'),
  origin text not null,
  -- the unique mandate reference
  reference text not null unique,
  creditor_name text not null,
  creditor_id text not null,
  state text not null default 'pending' check (state in ('pending', 'active', 'ended')),
  -- "revoked", "rejected", or the bank's code
  ended_by text,
  ended_at timestamptz,
  holder text not null,
  iban_end text not null,
  -- sealed, until the provider has the mandate
  bank bytea,
  text_version text not null,
  signed_by uuid not null,
  signed_at timestamptz not null,
  -- hash of the network it was given from
  sender_hash text,
  check ((state = 'ended') = (ended_by is not null))
);
create unique index mandate_open on credit.mandate (company_id, market) where state <> 'ended';
create index mandate_company on credit.mandate (company_id, signed_at desc);
create index mandate_signer on credit.mandate (signed_by);

-- The direct debit of a statement, announced with it: one at most.
create table credit.debit (
  statement_id uuid primary key references credit.statement (id),
  mandate_id uuid not null references credit.mandate (id),
  -- as announced; less is collected if less is open by then
  amount integer not null check (amount > 0),
  collect_on date not null,
  announced_at timestamptz not null,
  state text not null default 'announced' check (state in ('announced', 'submitted', 'settled', 'returned', 'dropped')),
  -- null until the provider has answered
  collected integer,
  -- the bank's code of a return, or the reason it was dropped
  reason text,
  updated_at timestamptz not null
);
create index debit_announced on credit.debit (collect_on) where state = 'announced';
create index debit_followed on credit.debit (updated_at) where state in ('submitted', 'settled');
create index debit_mandate on credit.debit (mandate_id);
