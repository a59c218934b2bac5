-- The customer who wrote a step for the buyer, as the owner of their things; null for other sides, and for steps of earlier releases.
alter table disputes.step add column written_by text;
