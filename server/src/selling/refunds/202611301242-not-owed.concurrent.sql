alter table refunds.refund validate constraint refund_state_check;
