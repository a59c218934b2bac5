create index concurrently if not exists price_rule_category on conditions.price_rule (list_id, category_id) where category_id is not null;
