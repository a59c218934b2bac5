-- Invitations into a company, sent by mail with a link that works once.
create table companies.invitation (
  id uuid primary key,
  company_id uuid not null,
  email text not null,
  role text not null check (role in ('admin', 'approver', 'buyer')),
  -- SHA-256 of the link's token
  token_hash text not null unique,
  invited_by uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  accepted_at timestamptz,
  accepted_by uuid,
  revoked_at timestamptz
);
create unique index invitation_open on companies.invitation (company_id, lower(email)) where accepted_at is null and revoked_at is null;
create index invitation_company on companies.invitation (company_id, created_at desc);
