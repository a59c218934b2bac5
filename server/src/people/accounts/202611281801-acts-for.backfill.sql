-- rows of: accounts.customer
-- Whoever has joined a second company acted for it from then on.
with next as (select id from accounts.customer where ($1::text is null or id > $1::uuid) order by id limit $2),
latest as (
  select distinct on (m.customer_id) m.customer_id, m.company_id, count(*) over (partition by m.customer_id) as companies
    from next join accounts.membership m on m.customer_id = next.id and m.ended_at is null order by m.customer_id, m.since desc),
filled as (
  update accounts.customer c set acts_for = l.company_id from latest l where c.id = l.customer_id and l.companies > 1 and c.acts_for is null)
select id as key from next order by id
