-- Who somebody is. Sessions refer to these rows and copy nothing from them: what changes here counts from the next request on.

create table accounts.customer (
  id uuid primary key,
  email text not null,
  name text not null,
  -- where the account was opened
  market text not null check (market ~ '^[a-z]{2}$'),
  created_at timestamptz not null default now(),
  closed_at timestamptz
);
create unique index customer_email on accounts.customer (lower(email)) where closed_at is null;

create table accounts.company (
  id uuid primary key,
  name text not null,
  -- ISO 3166-1 alpha-2: decides which sellers' prices are shown without VAT
  country text not null check (country ~ '^[A-Z]{2}$'),
  vat_number text,
  prefers_vat boolean not null default false,
  created_at timestamptz not null default now(),
  closed_at timestamptz
);

-- Roles there are; what each may do is in contract/src/actions.ts.
create table accounts.role (
  kind text not null check (kind in ('member', 'seller', 'operator')),
  name text not null,
  primary key (kind, name)
);
insert into accounts.role (kind, name) values
  ('member', 'admin'), ('member', 'approver'), ('member', 'buyer'), ('seller', 'seller'), ('operator', 'support'), ('operator', 'search');

create table accounts.membership (
  customer_id uuid not null references accounts.customer (id),
  company_id uuid not null references accounts.company (id),
  role text not null,
  kind text not null default 'member' check (kind = 'member'),
  since timestamptz not null default now(),
  ended_at timestamptz,
  primary key (customer_id, company_id),
  foreign key (kind, role) references accounts.role (kind, name)
);
create index membership_company on accounts.membership (company_id);

-- Who works for a seller, or for the marketplace.
create table accounts.staff (
  id uuid primary key,
  email text not null,
  name text not null,
  kind text not null check (kind in ('seller', 'operator')),
  seller_id integer,
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  unique (id, kind),
  check ((kind = 'seller') = (seller_id is not null))
);
create unique index staff_email on accounts.staff (lower(email)) where closed_at is null;

-- A role somebody holds, in one market or, without one, in all.
create table accounts.permission (
  staff_id uuid not null,
  kind text not null,
  role text not null,
  market text check (market ~ '^[a-z]{2}$'),
  since timestamptz not null default now(),
  unique nulls not distinct (staff_id, role, market),
  foreign key (staff_id, kind) references accounts.staff (id, kind),
  foreign key (kind, role) references accounts.role (kind, name)
);

-- A session is for a family of sites (consumers', professionals', the staff's), not for one market. `market` and `mode`
-- say where it began; they and `viewer` are there for the previous release and go when that is gone.
alter table accounts.session
  alter column market drop not null,
  alter column mode drop not null,
  add column family text,
  add column customer_id uuid,
  -- the company a customer acts for
  add column company_id uuid,
  add column staff_id uuid,
  add constraint session_customer foreign key (customer_id) references accounts.customer (id) not valid,
  add constraint session_membership foreign key (customer_id, company_id) references accounts.membership (customer_id, company_id) not valid,
  add constraint session_staff foreign key (staff_id) references accounts.staff (id) not valid,
  add constraint session_family check (family in ('b2c', 'b2b', 'staff')) not valid,
  add constraint session_one_person check (num_nonnulls(customer_id, staff_id) <= 1 and (company_id is null or customer_id is not null)) not valid;
create index session_of_customer on accounts.session (customer_id) where customer_id is not null;
create index session_of_staff on accounts.session (staff_id) where staff_id is not null;
