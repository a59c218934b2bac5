create schema punchout;

-- Credentials of a company's purchasing system. Its baskets are filled and its orders arrive in the name of one member.
create table punchout.credential (
  id uuid primary key,
  company_id uuid not null,
  member_id uuid not null,
  market text not null check (market ~ '^[a-z]{2}$'),
  protocol text not null check (protocol in ('oci', 'cxml')),
  name text not null check (length(name) between 1 and 60),
  -- user name of OCI, identity of the cXML sender
  identity text not null unique,
  -- SHA-256 of a random secret
  secret_hash bytea not null,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index credential_company on punchout.credential (company_id, created_at desc);

-- A buyer's way through the shop: opened by the purchasing system, entered once by its start link.
create table punchout.visit (
  id uuid primary key,
  credential_id uuid not null references punchout.credential (id),
  -- where the browser takes the basket
  hook_url text not null,
  -- OCI: fields that are sent back as they came; cXML: the buyer's cookie
  echoed jsonb not null,
  -- as the purchasing system names them
  buyer text not null,
  -- what an edited requisition begins with: [{ offerId, quantity }]
  items jsonb not null default '[]',
  -- SHA-256
  token_hash text not null unique,
  token_expires_at timestamptz not null,
  -- of the shop's session, once entered
  session_id text unique,
  opened_at timestamptz not null default now()
);
create index visit_credential on punchout.visit (credential_id, opened_at);
create index visit_opened on punchout.visit (opened_at);

-- Orders of purchasing systems: each number is taken once per company.
create table punchout.order_request (
  company_id uuid not null,
  order_number text not null,
  credential_id uuid not null references punchout.credential (id),
  -- SHA-256 of what was ordered: the same number with another content is refused
  content_hash text not null,
  customer_order_id text,
  is_pending_approval boolean,
  received_at timestamptz not null default now(),
  primary key (company_id, order_number)
);
