-- What members, cost centres and building sites of a company may spend. Minor units with VAT.
create table purchasing.budget (
  id uuid primary key,
  company_id uuid not null,
  kind text not null check (kind in ('member', 'cost-centre', 'site')),
  -- customer, cost centre or site
  subject_id uuid not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  monthly integer check (monthly >= 0),
  per_order integer check (per_order >= 0),
  changed_by uuid not null,
  changed_at timestamptz not null default now(),
  check (num_nonnulls(monthly, per_order) >= 1),
  unique (company_id, kind, subject_id)
);

-- What the placed orders of companies commit. A reopened or cancelled order has no row; refunds are in `returned`.
create table purchasing.spend (
  customer_order_id text primary key,
  company_id uuid not null,
  customer_id uuid not null,
  site_id uuid,
  cost_centre_id uuid,
  currency text not null,
  -- first day of the month of the order, in its market's time zone
  month date not null,
  amount integer not null check (amount >= 0),
  returned integer not null default 0 check (returned between 0 and amount),
  -- goods by department: [{ "category": 10, "amount": 1200 }]
  categories jsonb not null default '[]',
  placed_at timestamptz not null default now()
);
create index spend_company on purchasing.spend (company_id, month);
