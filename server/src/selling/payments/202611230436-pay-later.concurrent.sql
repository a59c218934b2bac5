alter table payments.payment validate constraint payment_repaid;
alter table payments.payment validate constraint payment_invoice;
create index concurrently payment_company on payments.payment (company_id, currency) where company_id is not null;
