-- Companies that pay once a month: their invoices issued from this day on are gathered in statements.
create table credit.collective (
  company_id uuid primary key,
  market text not null check (market ~ '^[a-z]{2}$'),
  origin text not null,
  since date not null
);

-- A statement of account: one per company and month. The invoices it lists remain the tax documents.
create table credit.statement (
  id uuid primary key,
  number text not null unique,
  company_id uuid not null,
  market text not null check (market ~ '^[a-z]{2}$'),
  origin text not null,
  currency text not null check (currency in ('EUR', 'GBP')),
  month text not null check (month ~ '^\d{4}-\d{2}$'),
  issued_on date not null,
  due_on date not null,
  -- company, account, invoices and sums as of the day it was issued; null until the provider has agreed to the due date
  document jsonb,
  reminders smallint not null default 0,
  unique (company_id, market, month)
);
create index statement_due on credit.statement (due_on) where reminders < 3 and document is not null;

-- Every claim belongs to at most one statement.
create table credit.statement_claim (
  claim_id uuid primary key references credit.claim (id),
  statement_id uuid not null references credit.statement (id)
);
create index statement_claim_statement on credit.statement_claim (statement_id);
