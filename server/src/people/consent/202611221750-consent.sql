create schema consent;

-- Choices of visitors, as proof: which text, what, when. Nothing here names a person; the browser that chose holds the id.
create table consent.choice (
  id uuid primary key,
  market text not null,
  text_version text not null,
  purposes text[] not null,
  -- the browser sent Global Privacy Control
  has_privacy_signal boolean not null,
  at timestamptz not null default now(),
  -- since when another choice counts
  replaced_at timestamptz
);
create index choice_at on consent.choice (at);
