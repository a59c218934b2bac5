alter table ledger.booking
  drop constraint booking_kind_check,
  add constraint booking_kind_check check (kind in ('capture', 'refund', 'settlement', 'payout')) not valid;
