-- The appointment is the buyer's to choose; the carrier confirms it.
alter table returns.collection
  -- times the buyer has changed it: each change is a booking of its own with the carrier
  add column round smallint not null default 0,
  add column booked_round smallint,
  drop constraint collection_state_check,
  add constraint collection_state_check check (state in ('offered', 'accepted', 'booked', 'missed', 'cancelled', 'collected')) not valid;

-- Goods sent with a label of the shop's carrier.
alter table returns.request
  add column label_file text,
  add column tracking_number text;
