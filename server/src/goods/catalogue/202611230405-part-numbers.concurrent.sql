create index concurrently if not exists product_part_number on catalogue.product (lower(mpn));
