create schema files;

-- What the object store holds, and whose it is. A row is there before its object, and goes after it.
create table files.file (
  key text primary key,
  -- "product:7", "customer:…": whoever wrote it decides who may read it.
  owner text not null,
  kind text not null,
  -- What its owner called it, for downloads.
  name text,
  type text not null,
  bytes bigint,
  sha256 text,
  state text not null default 'writing' check (state in ('writing', 'ready', 'removed')),
  created_at timestamptz not null default now()
);
create index file_owner on files.file (owner);
create index file_unsettled on files.file (created_at) where state <> 'ready';
