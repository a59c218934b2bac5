alter table merchandising.query_day add column conversions integer not null default 0;

-- What was chosen in the lists of a category, by day of the market.
create table merchandising.category_day (
  market text not null,
  day date not null,
  category_id integer not null,
  clicks integer not null default 0,
  conversions integer not null default 0,
  primary key (market, day, category_id)
);
