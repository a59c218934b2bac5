-- A payment by invoice belongs to the company that a credit provider pays for; `repaid` is what the company has paid the provider of it.
alter table payments.payment
  add column company_id uuid,
  add column repaid integer not null default 0,
  add constraint payment_repaid check (repaid >= 0) not valid,
  add constraint payment_invoice check ((method = 'invoice') = (company_id is not null)) not valid;
