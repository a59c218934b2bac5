-- rows of: purchasing.approval
with next as (select id from purchasing.approval where ($1::text is null or id > $1::uuid) order by id limit $2),
filled as (
  update purchasing.approval a set expires_at = a.decided_at + interval '7 days' from next
    where a.id = next.id and a.state = 'approved' and not a.is_used)
select id::text as key from next order by id
