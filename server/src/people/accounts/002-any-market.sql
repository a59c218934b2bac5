-- The contract lists the markets (contract/src/markets.ts) and every edge parses them. A new market is a row there, not a migration.
alter table accounts.session
  drop constraint session_market_check,
  add constraint session_market_check check (market ~ '^[a-z]{2}$') not valid;
