-- A request under a guarantee is accepted by the seller before a label is sent.
alter table returns.request
  drop constraint request_state_check,
  add constraint request_state_check check (state in ('requested', 'accepted', 'refused', 'label-sent', 'in-transit', 'received', 'inspected', 'refunded', 'exchanged', 'closed')) not valid;
