create index concurrently if not exists customer_order_company on orders.customer_order (company_id, created_at desc) where company_id is not null;
