-- Orders beyond a buyer's limits, which a colleague decides about. The cart belongs to the request until then.
create table purchasing.approval (
  id uuid primary key,
  customer_order_id text not null,
  company_id uuid not null,
  -- the buyer
  customer_id uuid not null,
  market text not null check (market ~ '^[a-z]{2}$'),
  origin text not null,
  pay_by text not null check (pay_by in ('card', 'invoice')),
  state text not null default 'pending' check (state in ('pending', 'approved', 'refused', 'withdrawn', 'expired')),
  -- as requested, in minor units with VAT
  total integer not null check (total > 0),
  currency text not null,
  -- the limits it exceeds: [{ kind, limit, left }]
  limits jsonb not null,
  -- what was shown to the buyer: { lines: [{ offerId, title, url, quantity, unitPrice, total }], delivery, discount }
  proposal jsonb not null,
  note text,
  comment text,
  decided_by uuid,
  -- by the link of a mail, without a session
  is_by_link boolean,
  decided_at timestamptz,
  -- what the approver agreed to; prices may have changed since the request
  approved_total integer,
  requested_at timestamptz not null default now(),
  expires_at timestamptz not null,
  check ((state = 'approved') = (approved_total is not null)),
  check (state not in ('approved', 'refused') or (decided_by is not null and decided_at is not null))
);
create unique index approval_order on purchasing.approval (customer_order_id) where state in ('pending', 'approved');
create index approval_company on purchasing.approval (company_id, requested_at desc);
create index approval_pending on purchasing.approval (expires_at) where state = 'pending';

-- Links of the mails to approvers. They are worth nothing once the request is decided.
create table purchasing.approval_token (
  -- SHA-256
  token_hash text primary key,
  approval_id uuid not null references purchasing.approval (id),
  approver_id uuid not null
);
