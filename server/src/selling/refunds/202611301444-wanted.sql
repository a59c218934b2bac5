-- What a refund would have given if no earlier one had reduced the price of what it is for: more than its amount if earlier ones have
-- limited it. Minor units.
alter table refunds.refund add column wanted integer;
