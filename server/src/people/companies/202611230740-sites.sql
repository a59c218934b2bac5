-- Where a company builds: delivery addresses that its members order to. An archived one keeps its name on old orders.
create table companies.site (
  id uuid primary key,
  company_id uuid not null,
  name text not null check (length(name) between 1 and 80),
  -- as printed on parcels; first and last name are the contact on site
  address jsonb not null,
  delivery_hours text check (length(delivery_hours) <= 100),
  created_at timestamptz not null default now(),
  archived_at timestamptz
);
create unique index site_name on companies.site (company_id, lower(name));

create table companies.cost_centre (
  id uuid primary key,
  company_id uuid not null,
  -- printed on invoices (BT-10)
  code text not null check (length(code) between 1 and 40),
  name text not null check (length(name) <= 80),
  created_at timestamptz not null default now(),
  archived_at timestamptz
);
create unique index cost_centre_code on companies.cost_centre (company_id, lower(code));

-- A company without a row allows cost centres that are not on its list.
create table companies.purchasing_rule (
  company_id uuid primary key,
  allows_free_cost_centre boolean not null
);
