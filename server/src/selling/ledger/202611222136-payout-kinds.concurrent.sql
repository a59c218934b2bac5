alter table ledger.booking validate constraint booking_kind_check;
