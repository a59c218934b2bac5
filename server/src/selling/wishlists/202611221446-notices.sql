-- Lists whose owner wants mails about prices and stock, since when, and where links of these mails lead.
create table wishlists.notice (
  list_id uuid primary key references wishlists.list (id) on delete cascade,
  -- in the link that ends the mails
  token text not null unique,
  mode text not null check (mode in ('b2c', 'b2b')),
  since timestamptz not null default now()
);

-- What the owner of a list was last told of a product. Before that, what it cost when it was put on the list counts.
create table wishlists.told (
  list_id uuid not null,
  product_id bigint not null,
  price integer,
  is_available boolean not null,
  -- the last mail: 'price-drop' or 'back-in-stock', and how many there were
  kind text,
  mails integer not null default 0,
  at timestamptz,
  primary key (list_id, product_id),
  foreign key (list_id, product_id) references wishlists.item (list_id, product_id) on delete cascade
);
