-- The day until which a pick-up point holds a parcel that has arrived there.
alter table fulfilment.parcel add column held_until timestamptz;
-- A parcel at a pick-up point has a deadline of its own: collect.
alter table fulfilment.due drop constraint due_kind_check;
alter table fulfilment.due add constraint due_kind_known check (kind in ('accept', 'ship', 'arrive', 'collect', 'close')) not valid;
