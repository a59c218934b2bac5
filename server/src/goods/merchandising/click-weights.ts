import { readNote, writeNote, type Db } from '#platform'
import { addDays } from '#pricing'

/**
 * How clicks weigh (decision 064). A click cannot be proved, therefore a day counts for nothing by itself: a product weighs the
 * points it reached on most of the last days, and never more than a fraction of one order.
 */
export const clickRules = {
  /** Days looked back on, and those of them on which the points must have been reached. */
  days: 14,
  daysNeeded: 8,
  /** With clicks from fewer networks a day counts for nothing. */
  networks: 20,
  /** A point for each tenth of the networks that clicked anything in lists with the product. */
  maxPoints: 3,
  /** Of one network on one day: different events considered, and products. */
  events: 100,
  products: 20,
} as const

const countDay = {
  name: 'merchandising.count-click-day',
  text: `with event as (
      select coalesce(sender_hash, 'near') as sender, query_id, market, product_ids, min(at) as at
      from merchandising.search_event
      where at >= $1::date::timestamp at time zone 'UTC' and at < ($1::date + 1)::timestamp at time zone 'UTC' and type in ('click', 'conversion')
      group by 1, 2, 3, 4
    ), numbered as (
      select event.*, row_number() over (partition by sender order by at, query_id, product_ids) as place from event
    ), visit as (
      select e.sender, e.place, e.product_ids, a.shown from numbered e
      join merchandising.asked a on a.query_id = e.query_id and a.market = e.market and a.at > e.at - interval '1 day' and a.shown && e.product_ids
      where e.place <= $2
    ), seen as (
      select distinct v.sender, product.id from visit v, unnest(v.shown) as product (id) where product.id ~ '^[0-9]{1,18}$'
    ), clicked as (
      select v.sender, product.id, row_number() over (partition by v.sender order by min(v.place), product.id) as place
      from visit v, unnest(v.product_ids) as product (id) where product.id = any(v.shown) and product.id ~ '^[0-9]{1,18}$' group by 1, 2
    ), popular as (
      select id, count(*) as networks from clicked where place <= $3 group by id having count(*) >= $4
    )
    insert into merchandising.click_day (day, product_id, networks, of_networks)
    select $1::date, p.id::bigint, p.networks, count(*) from popular p join seen s on s.id = p.id group by p.id, p.networks
    on conflict (day, product_id) do update set networks = excluded.networks, of_networks = excluded.of_networks`,
}

/** Counts the clicks of one day (UTC) by distinct networks; again with the same result while its events and queries are kept. */
export async function countClickDay(db: Db, day: string): Promise<void> {
  await db.run(countDay, [day, clickRules.events, clickRules.products, clickRules.networks])
}

const countedNote = 'clicks-counted-until'

/** Counts the days that are over and not yet counted; queries are not kept for longer than the last two. */
export async function countClickDays(db: Db, now: Date): Promise<void> {
  const today = now.toISOString().slice(0, 10)
  const counted = (await readNote<string>(db, countedNote)) ?? ''
  for (const day of [addDays(today, -2), addDays(today, -1)]) {
    if (day <= counted) continue
    await countClickDay(db, day)
    await writeNote(db, countedNote, day)
  }
}

// The points reached on the needed number of days are those of that day in the order of points.
const reweigh = {
  name: 'merchandising.reweigh-clicks',
  text: `with points as (
      select product_id, least($4, floor(10.0 * networks / of_networks))::integer as points
      from merchandising.click_day where day >= $1::date - $2::integer and day < $1::date
    ), earned as (
      select product_id, weight from (
        select product_id, (array_agg(points order by points desc))[$3::integer] as weight from points group by product_id) reached
      where weight > 0
    ), old as (
      select product_id, weight from merchandising.click_weight
    ), gone as (
      delete from merchandising.click_weight where product_id not in (select product_id from earned)
    ), written as (
      insert into merchandising.click_weight (product_id, weight) select product_id, weight from earned
      on conflict (product_id) do update set weight = excluded.weight where click_weight.weight <> excluded.weight
    )
    select product_id::text as "productId", coalesce(e.weight, 0) - coalesce(o.weight, 0) as weight
    from earned e full join old o using (product_id)
    where coalesce(e.weight, 0) <> coalesce(o.weight, 0) order by product_id`,
}

/** By how much clicks now change the popularity of products: up if they were clicked on most days, down again afterwards. */
export function takeClickWeights(db: Db, now: Date): Promise<{ productId: string; weight: number }[]> {
  const { days, daysNeeded, maxPoints } = clickRules
  return db.rows(reweigh, [now.toISOString().slice(0, 10), days, daysNeeded, maxPoints])
}

const forget = {
  name: 'merchandising.forget-click-days',
  text: `delete from merchandising.click_day where day < $1::date - $2::integer`,
}

export async function forgetClickDays(db: Db, now: Date): Promise<void> {
  await db.run(forget, [now.toISOString().slice(0, 10), clickRules.days])
}
