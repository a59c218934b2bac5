create schema wishlists;

create table wishlists.list (
  id uuid primary key,
  -- 'c:<customer>' or, until they sign in, 's:<session>'
  owner text not null check (owner <> ''),
  market text not null check (market ~ '^[a-z]{2}$'),
  name text,
  -- where the heart of a card puts things
  is_default boolean not null default false,
  -- in the link it is shared by; null while it is not shared
  share_token text unique,
  created_at timestamptz not null default now()
);
create index list_owner on wishlists.list (owner, market, created_at);
create unique index list_default on wishlists.list (owner, market) where is_default;

create table wishlists.item (
  list_id uuid not null references wishlists.list (id) on delete cascade,
  product_id bigint not null,
  -- what it cost when it was put here, or was last told of: minor units with VAT; null while nobody sells it
  known_price integer,
  added_at timestamptz not null default now(),
  primary key (list_id, product_id)
);
create index item_product on wishlists.item (product_id);
