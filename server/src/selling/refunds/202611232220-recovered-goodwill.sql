-- Goodwill of the marketplace that a later refund for the same goods makes up for: the seller gives it back to the
-- marketplace in addition to the amount, which is the buyer's. Minor units.
alter table refunds.refund add column recovered integer not null default 0;
-- Pieces may be cancelled for which nothing is left to be paid back: they count all the same.
alter table refunds.refund drop constraint refund_amount_check;
alter table refunds.refund add constraint refund_amount_check check (amount >= 0 and recovered >= 0) not valid;
