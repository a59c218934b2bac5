-- An approval is valid for a week from its decision, unless its order is placed by then.
alter table purchasing.approval add column is_used boolean not null default false;
