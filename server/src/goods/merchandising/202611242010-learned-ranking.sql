-- What one day's searches have taught about the order of hits: a weight per signal, how well choices held back stand in the
-- engine's order and in the learned one, and the number of looks at lists.
create table merchandising.ranker_day (
  market text not null,
  day date not null,
  weights jsonb not null,
  own real not null,
  learned real not null,
  looks integer not null check (looks > 0),
  primary key (market, day)
);
-- Operators may turn the learned order of a market off.
alter table merchandising.tuning add column learns boolean not null default true;
