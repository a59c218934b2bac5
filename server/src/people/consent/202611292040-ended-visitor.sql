-- Whether what ended the consent also ended the visitor id: a browser that has lost that response may bring both again.
alter table consent.choice add column has_ended_visitor boolean;
