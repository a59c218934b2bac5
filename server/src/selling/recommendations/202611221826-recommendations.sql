create schema if not exists recommendations;

-- What was learned in the last night, per market.
create table recommendations.model (
  market text primary key,
  learned_at timestamptz not null,
  model jsonb not null
);

-- Sources of each placement, in order; set by operators.
create table recommendations.placement (
  placement text primary key,
  sources text[] not null
);
insert into recommendations.placement (placement, sources) values
  ('article_page', '{goes_with,bought_together}'),
  ('cart_page', '{goes_with,bought_together}'),
  ('add_to_cart', '{goes_with,bought_together}'),
  ('homepage_b2c', '{from_history,popular}'),
  ('category_listing', '{popular}');
