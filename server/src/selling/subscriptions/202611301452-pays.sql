-- Whether the provider's button beside the fields of another card says that an overdue charge is paid with it. Null with those of a plan,
-- and with those from before this column.
alter table subscriptions.setup add column pays boolean;
