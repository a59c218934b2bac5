-- One visit of a browser, with consent to statistics; counted in the insights.
alter table insights.event add column visit_id uuid;
