alter table refunds.refund validate constraint refund_set_off_check;
