-- A session of a buyer from a company's purchasing system: it stands for a member and is never one.
alter table accounts.session add column is_punch_out boolean not null default false;
