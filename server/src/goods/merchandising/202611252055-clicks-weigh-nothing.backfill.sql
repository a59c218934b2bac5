-- rows of: merchandising.click_weight
-- Takes what clicks had added to the popularity of products away again (decision 086), with the days of which it would be added once more.
with next as (
  select product_id, weight from merchandising.click_weight where ($1::text is null or product_id > $1::bigint) order by product_id limit $2
), lowered as (
  update catalogue.product p set popularity = greatest(0, p.popularity - next.weight) from next where p.id = next.product_id returning p.id::text as id
), told as (
  insert into platform.outbox (id, type, aggregate, payload)
  select gen_random_uuid(), 'product.changed', id, jsonb_build_object('productId', id) from lowered
), no_days as (
  delete from merchandising.click_day d using next where d.product_id = next.product_id
), gone as (
  delete from merchandising.click_weight w using next where w.product_id = next.product_id
)
select product_id::text as key from next order by product_id
