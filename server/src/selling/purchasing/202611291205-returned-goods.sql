-- Refunded goods by category: [{ "category": 10, "amount": 1200 }]. Empty in rows from before until they are filled, and for refunds of no line.
alter table purchasing.spend add column returned_goods jsonb not null default '[]';
