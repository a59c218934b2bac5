-- When bulky goods are brought, by the market's clock: {"day": "2026-12-01", "from": "08:00", "to": "12:00"}.
alter table orders.seller_order add column appointment jsonb;
