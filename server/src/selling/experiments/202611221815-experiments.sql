create schema if not exists experiments;

create table experiments.experiment (
  campaign_id integer primary key,
  name text not null unique,
  state text not null,
  definition jsonb not null,
  changed_at timestamptz not null default now()
);

-- The variation a customer first got: the same on all their devices.
create table experiments.assignment (
  customer_id uuid not null,
  campaign_id integer not null,
  variation_id integer not null,
  assigned_at timestamptz not null default now(),
  primary key (customer_id, campaign_id)
);

-- Visitors who have seen a variation, with their consent; deleted after 13 months.
create table experiments.exposure (
  campaign_id integer not null,
  visitor_id uuid not null,
  variation_id integer not null,
  seen_at timestamptz not null default now(),
  primary key (campaign_id, visitor_id)
);
