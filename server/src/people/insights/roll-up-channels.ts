import type { Db } from '#platform'

/** Links name campaigns, and roll-ups are kept for ever: beyond so many the rarest count as "other". */
const maxNames = 500

/** A visit belongs to the first way that led to it and was not direct; one over midnight counts on both days, as everywhere here. */
const channels = {
  name: 'insights.roll-up-channels',
  text: `with first as (select ($1::timestamptz at time zone 'UTC')::date as day),
    visit as (
      select distinct on (e.day, e.market, e.mode, e.visit_id) e.day, e.market, e.mode, e.data ->> 'trackingChannel' as channel,
        e.data ->> 'trackingCategory' as category, e.data ->> 'trackingCampaign' as campaign
      from insights.event e, first where e.day >= first.day and e.name = 'page_view' and e.visit_id is not null
      order by e.day, e.market, e.mode, e.visit_id, coalesce(e.data ->> 'trackingChannel', 'internal') in ('direct', 'internal'), e.at, e.id),
    each as (
      select day, market, mode, channel, category, campaign, 1 as visits, 0 as orders, 0::bigint as amount from visit
      union all
      select (paid_at at time zone 'UTC')::date, market, mode, channel, category, campaign, 0, 1, coalesce(amount, 0)
      from insights.order_channel, first where (paid_at at time zone 'UTC')::date >= first.day),
    plain as (
      select day, market, mode, case when channel is null or channel = 'internal' then 'direct' else channel end as channel,
        coalesce(category, '') as category, coalesce(campaign, '') as campaign, visits, orders, amount from each),
    known as (
      select category, campaign from plain group by 1, 2 order by sum(orders) desc, count(*) desc, 1, 2 limit ${maxNames}),
    counted as (
      select day, market, mode, channel, coalesce(known.category, 'other') as category, coalesce(known.campaign, 'other') as campaign,
        sum(visits) as visits, sum(orders) as orders, sum(amount) as revenue
      from plain left join known using (category, campaign) group by 1, 2, 3, 4, 5, 6),
    gone as (
      delete from insights.channel_day d using first where d.day >= first.day and not exists (
        select from counted c where (c.day, c.market, c.mode, c.channel, c.category, c.campaign) = (d.day, d.market, d.mode, d.channel, d.category, d.campaign)))
    insert into insights.channel_day (day, market, mode, channel, category, campaign, visits, orders, revenue)
    select day, market, mode, channel, category, campaign, visits, orders, revenue from counted
    on conflict (day, market, mode, channel, category, campaign)
    do update set visits = excluded.visits, orders = excluded.orders, revenue = excluded.revenue`,
}

const recommendations = {
  name: 'insights.roll-up-recommendations',
  text: `with first as (select ($1::timestamptz at time zone 'UTC')::date as day),
    counted as (
      select e.day, e.market, e.mode, e.data ->> 'placement' as placement, e.data ->> 'source' as source,
        count(*) filter (where e.name = 'recommendation_view') as views, count(*) filter (where e.name = 'recommendation_click') as clicks
      from insights.event e, first
      where e.day >= first.day and e.name in ('recommendation_view', 'recommendation_click')
        and e.data ->> 'placement' = any($2::text[]) and e.data ->> 'source' = any($3::text[])
      group by 1, 2, 3, 4, 5),
    gone as (
      delete from insights.recommendation_day d using first where d.day >= first.day and not exists (
        select from counted c where (c.day, c.market, c.mode, c.placement, c.source) = (d.day, d.market, d.mode, d.placement, d.source)))
    insert into insights.recommendation_day (day, market, mode, placement, source, views, clicks)
    select day, market, mode, placement, source, views, clicks from counted
    on conflict (day, market, mode, placement, source) do update set views = excluded.views, clicks = excluded.clicks`,
}

/** Those of the contract, and of a row that has several reasons. */
const placements = ['article_page', 'cart_page', 'add_to_cart', 'homepage_b2c', 'category_listing']
const sources = ['goes_with', 'bought_together', 'also_viewed', 'popular', 'from_history', 'several']

/** Counts the days since `from` again, as `rollUp` does. */
export async function rollUpChannels(db: Db, from: Date): Promise<void> {
  await db.run(channels, [from])
  await db.run(recommendations, [from, placements, sources])
}
