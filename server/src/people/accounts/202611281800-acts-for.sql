-- The company that a customer acted for last; null until they join, open or choose one. Its membership may have ended since.
alter table accounts.customer add column acts_for uuid;
