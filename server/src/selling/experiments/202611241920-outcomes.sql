-- Why an experiment was stopped by itself; null for those that an operator stopped.
alter table experiments.experiment add column stopped_because text;

-- What the visitors of a variation did after they saw it, counted again every few minutes.
create table experiments.outcome (
  campaign_id integer not null,
  variation_id integer not null,
  visitors integer not null,
  added integer not null,
  ordered integer not null,
  left_at_once integer not null,
  met_error integer not null,
  counted_at timestamptz not null default now(),
  primary key (campaign_id, variation_id)
);
