-- How a professional wants prices displayed; null before the first choice. It follows the person, in the place of company.prefers_vat.
alter table accounts.customer add column prefers_vat boolean;
