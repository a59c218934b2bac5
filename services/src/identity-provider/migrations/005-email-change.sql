-- Changes of address under way, one for each account. A change takes effect once the new address has confirmed it and the present
-- one has agreed; without an answer of the present one, some days after a reminder.
create table identity.email_change (
  realm text not null,
  account_id uuid not null,
  -- normalized: trimmed, lower case, NFC
  email text not null,
  -- the shop and the language of the request, for the mails to come
  data jsonb not null,
  requested_at timestamptz not null default now(),
  -- by the new address
  confirmed_at timestamptz,
  -- by the present address
  agreed_at timestamptz,
  reminded_at timestamptz,
  primary key (realm, account_id),
  foreign key (realm, account_id) references identity.account (realm, id)
);
create index email_change_confirmed on identity.email_change (confirmed_at) where confirmed_at is not null;
