-- rows of: refunds.refund
with next as (select id from refunds.refund where ($1::text is null or id > $1::uuid) order by id limit $2),
deleted as (
  update refunds.refund r set account = null from next where r.id = next.id and r.state = 'not-owed' and r.account is not null)
select id::text as key from next order by id
