-- The weights in use after each night of learning: the next night starts from them, and moves them only as far as the days ask for.
create table merchandising.ranking_in_use (
  market text not null,
  day date not null,
  weights jsonb not null,
  primary key (market, day)
);
