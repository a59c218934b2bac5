-- The contract lists the markets (contract/src/markets.ts) and every edge parses them. A new market is a row there, not a migration.
alter table cart.cart
  drop constraint cart_market_check,
  add constraint cart_market_check check (market ~ '^[a-z]{2}$') not valid;
alter table cart.coupon
  drop constraint coupon_market_check,
  add constraint coupon_market_check check (market ~ '^[a-z]{2}$') not valid;
