-- The company that a quote was given to: a buyer who changes companies does not take its prices along. Null in rows from before.
alter table conditions.quoted_price add column company_id uuid;
