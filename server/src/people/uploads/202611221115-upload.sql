create schema uploads;

-- Files that people sent with a form. Each attempt is a row, for the limits per person and day; those that nothing uses go after a day.
create table uploads.upload (
  id uuid primary key,
  -- as ownerOf names a person
  owner text not null,
  -- SHA-256 of the sender's network address, for the limit per day; forgotten after it
  sender_hash text,
  -- null until the bytes were taken
  file_key text,
  name text,
  -- until the bytes were taken, as many as there may be
  bytes bigint not null,
  -- "message:…": what the file belongs to
  used_by text,
  created_at timestamptz not null default now()
);
create index upload_owner on uploads.upload (owner, created_at);
create index upload_sender on uploads.upload (sender_hash, created_at) where sender_hash is not null;
create index upload_unused on uploads.upload (created_at) where used_by is null;
