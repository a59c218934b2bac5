create schema sellers;

create table sellers.seller (
  id integer primary key,
  slug text not null,
  name text not null,
  legal_name text not null,
  -- ISO 3166-1 alpha-2, upper case: the tax mode of a price depends on it
  country text not null,
  vat_number text not null,
  registration text not null,
  address jsonb not null,
  email text not null,
  phone text not null,
  -- sells to professionals only
  is_b2b boolean not null default false,
  rating numeric(2, 1),
  rating_count integer not null default 0,
  response_hours integer not null,
  -- basis points of the net price
  commission_bp integer not null,
  -- { "gb": 5000 }: order value with VAT in minor units from which the seller delivers free, by market
  free_delivery_from jsonb not null default '{}',
  -- by language
  about jsonb not null default '{}',
  return_terms jsonb not null default '{}',
  status text not null default 'active' check (status in ('applied', 'kyc_pending', 'active', 'restricted', 'suspended', 'closed')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
