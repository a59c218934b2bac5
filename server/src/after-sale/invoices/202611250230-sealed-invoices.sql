-- Of the e-mail address of the order, which documents do not contain any more. Null: the document of an earlier release does.
alter table invoices.invoice add column email_hash bytea;
-- When the buyer was erased and the invoice, with its files, was sealed for the tax authority. The figures stay.
alter table invoices.invoice add column sealed_at timestamptz;

grant update (owner, email_hash, search, document, sealed_at) on invoices.invoice to current_user;
grant delete on invoices.file to current_user;
