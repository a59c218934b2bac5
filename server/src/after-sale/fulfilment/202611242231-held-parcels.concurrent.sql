alter table fulfilment.due validate constraint due_kind_known;
