-- Prices from a quantity on: [{ "group": "b2c" | "b2b", "from": 10, "price": 1100 }], minor units with VAT, ascending by group and quantity.
alter table catalogue.offer add column quantity_breaks jsonb not null default '[]';

-- Append-only: the breaks an offer has had since an instant, until the next row.
create table catalogue.quantity_break_history (
  offer_id bigint not null,
  valid_from timestamptz not null,
  quantity_breaks jsonb not null,
  primary key (offer_id, valid_from)
);
