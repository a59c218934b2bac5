create schema purchasing;

-- Rows of a buyer's quick order between two pages: those of an uploaded sheet, or those that could not be added. Kept for a day.
create table purchasing.kept_rows (
  owner text primary key,
  rows jsonb not null,
  kept_at timestamptz not null default now()
);
create index kept_rows_at on purchasing.kept_rows (kept_at);
