-- Unused files are limited by line, and guests, customers and buyers of an order have a limit of their own each. The hash of the line is forgotten
-- with that of the network.
alter table uploads.upload add column line_hash text;
alter table uploads.upload add column pot text not null default 'guest';
