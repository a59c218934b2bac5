-- Goods that were announced and not sent back in time.
alter table returns.request
  -- when the buyer was reminded to send the goods back
  add column reminded_at timestamptz,
  drop constraint request_state_check,
  add constraint request_state_check check (state in ('requested', 'accepted', 'refused', 'label-sent', 'in-transit', 'received', 'inspected', 'refunded', 'exchanged', 'lapsed', 'closed')) not valid;
