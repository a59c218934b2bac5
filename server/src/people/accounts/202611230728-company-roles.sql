insert into accounts.role (kind, name) values ('member', 'accountant'), ('member', 'viewer');
