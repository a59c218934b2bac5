-- Clicks on products in lists, by day: networks that clicked one, and those that clicked anything in a list that showed it.
create table merchandising.click_day (
  day date not null,
  product_id bigint not null,
  networks integer not null check (networks > 0),
  of_networks integer not null check (of_networks >= networks),
  primary key (day, product_id)
);
-- The part of a product's popularity that clicks account for now.
create table merchandising.click_weight (
  product_id bigint primary key,
  weight integer not null check (weight > 0)
);
