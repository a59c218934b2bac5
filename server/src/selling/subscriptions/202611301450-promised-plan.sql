-- What the page promised with the card fields of a plan. Null with those of another card for a subscription that has begun,
-- and with those from before this column.
alter table subscriptions.setup
  add column market text,
  add column period text,
  add column has_trial boolean;
