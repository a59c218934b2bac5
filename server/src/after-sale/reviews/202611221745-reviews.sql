create schema reviews;

-- Reviews of a product or of the seller of an order, by buyers who have received it.
create table reviews.review (
  id uuid primary key,
  subject text not null check (subject in ('product', 'seller')),
  -- of the product or of the seller
  subject_id bigint not null,
  -- the seller of the order
  seller_id integer not null,
  -- null for the reviews that come with the demo shop
  seller_order_id text,
  owner text,
  email text,
  market text not null,
  language text not null,
  origin text,
  author text not null,
  stars smallint not null check (stars between 1 and 5),
  -- sub-ratings, in the order of the subject's aspects; null where none was given
  aspects smallint[] not null default '{}',
  title text not null,
  body text not null,
  pros text,
  cons text,
  -- [{ file, name }] in the object store
  photos jsonb not null default '[]',
  -- SHA-256 of the text without case, spaces and punctuation: copies are found by it
  body_hash bytea,
  state text not null check (state in ('pending', 'published', 'refused')),
  -- reasons why an operator has to look at it
  findings text[] not null default '{}',
  refusal text,
  decided_by text,
  decided_at timestamptz,
  answer text,
  answered_at timestamptz,
  helpful integer not null default 0 check (helpful >= 0),
  unhelpful integer not null default 0 check (unhelpful >= 0),
  purchased_on date not null,
  written_at timestamptz not null default now()
);
create unique index review_once on reviews.review (seller_order_id, subject, subject_id) where seller_order_id is not null;
create index review_subject on reviews.review (subject, subject_id, stars) include (language) where state = 'published';
create index review_pending on reviews.review (written_at, id) where state = 'pending';
create index review_owner on reviews.review (owner, written_at) where owner is not null;
create index review_hash on reviews.review (body_hash) where body_hash is not null;

create table reviews.vote (
  review_id uuid not null references reviews.review (id) on delete cascade,
  -- as ownerOf names a person
  voter text not null,
  session_id text not null,
  is_helpful boolean not null,
  at timestamptz not null default now(),
  primary key (review_id, voter),
  unique (review_id, session_id)
);
create index vote_session on reviews.vote (session_id, at);

-- Invitations by mail, one per seller order. Only the hash of the link's token is kept.
create table reviews.invitation (
  seller_order_id text primary key,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  email text not null,
  market text not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null
);
create index invitation_email on reviews.invitation (lower(email));

-- E-mail addresses that want no invitations any more, as SHA-256 of the lower-case address.
create table reviews.opt_out (
  email_hash bytea primary key check (octet_length(email_hash) = 32),
  at timestamptz not null default now()
);

create table reviews.question (
  id uuid primary key,
  product_id bigint not null,
  market text not null,
  language text not null,
  mode text not null,
  origin text,
  owner text,
  email text,
  author text not null,
  body text not null,
  state text not null check (state in ('pending', 'published', 'refused')),
  findings text[] not null default '{}',
  refusal text,
  decided_at timestamptz,
  at timestamptz not null default now()
);
create index question_product on reviews.question (product_id, at) where state = 'published';
create index question_pending on reviews.question (at, id) where state = 'pending';
create index question_owner on reviews.question (owner, at) where owner is not null;

create table reviews.answer (
  id uuid primary key,
  question_id uuid not null references reviews.question (id) on delete cascade,
  kind text not null check (kind in ('seller', 'buyer')),
  seller_id integer,
  owner text,
  author text not null,
  body text not null,
  state text not null check (state in ('pending', 'published', 'refused')),
  findings text[] not null default '{}',
  refusal text,
  decided_at timestamptz,
  at timestamptz not null default now()
);
create index answer_question on reviews.answer (question_id, at);
create index answer_pending on reviews.answer (at, id) where state = 'pending';
create unique index answer_once on reviews.answer (question_id, owner) where owner is not null;

-- Answers to "How likely are you to recommend us?", one per person and day.
create table reviews.survey_answer (
  owner text not null,
  day date not null,
  market text not null,
  mode text not null,
  score smallint not null check (score between 0 and 10),
  comment text,
  at timestamptz not null default now(),
  primary key (owner, day)
);
create index survey_day on reviews.survey_answer (day, market);
