-- Owners of a seller manage its keys; they hold the role of its staff as well.
insert into accounts.role (kind, name) values ('seller', 'owner');
