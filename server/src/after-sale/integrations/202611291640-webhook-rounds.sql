-- When the next attempt of a message is due, and when the message is abandoned, however many attempts it has had.
alter table integrations.delivery
  add column next_at timestamptz not null default now(),
  add column expires_at timestamptz not null default now() + interval '2 days';
-- An endpoint that responded slowly is sent nothing until then.
alter table integrations.endpoint add column resting_until timestamptz;
