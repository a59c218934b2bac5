-- Whether each order of the company's members has to name a cost centre of its list, so that none escapes their budgets.
alter table companies.purchasing_rule add column requires_cost_centre boolean not null default false;
alter table companies.purchasing_rule alter column allows_free_cost_centre set default true;
