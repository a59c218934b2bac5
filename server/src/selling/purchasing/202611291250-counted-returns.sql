-- The value of `returned` for which `returned_goods` was counted. They differ where the release before has handled a refund, until the goods are counted again.
alter table purchasing.spend add column returned_counted integer not null default 0;
