-- Units used by each sender in the current period, where several machines count together (QUOTA_STORE=postgres). The expiry is in
-- milliseconds since 1970. Unlogged: after a crash everybody starts anew.
create unlogged table platform.quota (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
