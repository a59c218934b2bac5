-- Names the key a text is sealed with. Null: the one made of ORDER_LINK_SECRET, as before RETENTION_KEY.
alter table privacy.retained add column key_id text;
