create schema invoices;

-- The last number of each series of an issuer in a year. Taken in the transaction that inserts the invoice, so a rollback leaves no gap.
create table invoices.counter (
  -- "seller:<id>" or "platform"
  issuer text not null,
  -- F: invoices, R: credit notes
  series text not null check (series in ('F', 'R')),
  year smallint not null,
  last integer not null default 0,
  primary key (issuer, series, year)
);

create table invoices.invoice (
  id uuid primary key,
  kind text not null check (kind in ('sale', 'credit-note', 'commission', 'commission-credit')),
  issuer text not null,
  series text not null,
  year smallint not null,
  serial integer not null check (serial > 0),
  number text not null unique,
  -- what it is for, once: "shipment:…", "seller-order:…", "refund:…", "commission:…"
  source text not null unique,
  seller_id integer not null,
  customer_order_id text,
  seller_order_id text,
  market text not null check (market ~ '^[a-z]{2}$'),
  currency text not null check (currency in ('EUR', 'GBP')),
  -- the buyer's, as of the order; null for invoices to sellers
  owner text,
  company_id uuid,
  issued_at timestamptz not null,
  -- minor units; negative for credit notes
  net integer not null,
  vat integer not null,
  gross integer not null,
  -- the marketplace's commission on it, without VAT and its VAT
  commission integer not null default 0,
  commission_vat integer not null default 0,
  -- lower case: number, order, seller, articles
  search text not null,
  -- everything the invoice states, never changed afterwards
  document jsonb not null,
  unique (issuer, series, year, serial),
  check (net + vat = gross)
);
create index invoice_owner on invoices.invoice (owner, issued_at desc, id desc) where owner is not null;
create index invoice_company on invoices.invoice (company_id, issued_at desc, id desc) where company_id is not null;
create index invoice_order on invoices.invoice (customer_order_id) where customer_order_id is not null;
create index invoice_seller on invoices.invoice (seller_id, issued_at desc, id desc);

-- The archived files of an invoice, with their checksums.
create table invoices.file (
  invoice_id uuid not null references invoices.invoice (id),
  form text not null check (form in ('pdf', 'ubl')),
  key text not null,
  sha256 text not null,
  bytes integer not null,
  archived_at timestamptz not null default now(),
  primary key (invoice_id, form)
);

-- Append-only, for this role too where it is not a superuser. A guest's invoices move to the account they sign in to.
revoke update, delete, truncate on invoices.invoice, invoices.file from public;
revoke update, delete, truncate on invoices.invoice, invoices.file from current_user;
grant update (owner) on invoices.invoice to current_user;
