-- What providers could not refund after all, in minor units: part of the key of the next booking with the same total.
alter table payments.payment add column refunds_returned integer not null default 0;
