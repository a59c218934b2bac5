-- Five roles.
alter table companies.invitation
  drop constraint invitation_role_check,
  add constraint invitation_role_check check (role in ('admin', 'approver', 'buyer', 'accountant', 'viewer')) not valid;
