insert into accounts.role (kind, name) values ('operator', 'catalogue'), ('operator', 'jobs');
