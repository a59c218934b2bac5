-- The wallet or credit that paid in place of a card.
alter table payments.payment add column paid_with text;
