-- rows of: conditions.price_list
with next as (
  select id, least(ended_at, valid_to) as ends_at from conditions.price_list where ($1::text is null or id > $1::uuid) order by id limit $2),
filled as (
  update conditions.price_list_holder h set ends_at = next.ends_at from next where h.list_id = next.id and h.ends_at > next.ends_at)
select id as key from next order by id
