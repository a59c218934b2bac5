-- The number that a customer wants text messages to, until the code sent to it has been entered: one per customer. The code itself is
-- derived from the id with the shop's secret and stored nowhere.
create table profile.phone_code (
  customer_id uuid primary key,
  id uuid not null unique,
  phone text not null,
  market text not null,
  -- the sentence that was agreed to, as it was shown
  wording text not null,
  expires_at timestamptz not null
);
-- Whether a code sent to the number was entered. Consent to text messages counts only with it.
alter table profile.consent add column is_confirmed boolean not null default false;
