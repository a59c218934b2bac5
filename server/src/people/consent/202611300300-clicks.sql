-- Which click in which dialog a choice was: requests may be handled in another order than they were sent. Null for forms.
alter table consent.choice add column dialog uuid, add column click smallint;
