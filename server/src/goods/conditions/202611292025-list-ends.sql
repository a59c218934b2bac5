-- When a list ends for its holder: at the end of its validity, or when the seller has ended it. Never earlier than the list itself, and infinity
-- in rows from before until they are filled, so it narrows down what is read; whether a list is in force, the list says.
alter table conditions.price_list_holder add column ends_at timestamptz not null default 'infinity';
