import { replaceCounts, type Count, type MarketDay } from './replace-counts.ts'

/** Links name campaigns, and roll-ups are kept for ever: beyond so many a day and market the rarest count as "other". */
const maxNames = 500

/** A visit belongs to the first way that led to it and was not direct; one over midnight counts on both days, as everywhere here. */
const channels = {
  name: 'insights.count-channels',
  text: `with visit as (
      select distinct on (e.mode, e.visit_id) e.mode, e.data ->> 'trackingChannel' as channel,
        e.data ->> 'trackingCategory' as category, e.data ->> 'trackingCampaign' as campaign
      from insights.event e where e.day = $1::date and e.market = $2 and e.name = 'page_view' and e.visit_id is not null
      order by e.mode, e.visit_id, coalesce(e.data ->> 'trackingChannel', 'internal') in ('direct', 'internal'), e.at, e.id),
    each as (
      select mode, channel, category, campaign, 1 as visits, 0 as orders, 0::bigint as amount from visit
      union all
      select mode, channel, category, campaign, 0, 1, coalesce(amount, 0) from insights.order_channel
      where paid_at >= $1::date::timestamp at time zone 'UTC' and paid_at < ($1::date + 1)::timestamp at time zone 'UTC' and market = $2),
    plain as (
      select mode, case when channel is null or channel = 'internal' then 'direct' else channel end as channel,
        coalesce(category, '') as category, coalesce(campaign, '') as campaign, visits, orders, amount from each),
    known as (
      select category, campaign from plain group by 1, 2 order by sum(orders) desc, count(*) desc, 1, 2 limit ${maxNames})
    select $1::date::text as day, $2::text as market, mode, channel, coalesce(known.category, 'other') as category,
      coalesce(known.campaign, 'other') as campaign, sum(visits)::int as visits, sum(orders)::int as orders, sum(amount)::bigint as revenue
    from plain left join known using (category, campaign) group by 3, 4, 5, 6`,
}
const ofDay = 'day = $2::date and market = $3'
const storeChannels = replaceCounts({
  name: 'insights.roll-up-channels',
  table: 'channel_day',
  within: ofDay,
  columns: { day: 'date', market: 'text', mode: 'text', channel: 'text', category: 'text', campaign: 'text' },
  counts: ['visits', 'orders', 'revenue'],
})

const recommendations = {
  name: 'insights.count-recommendations',
  text: `select $1::date::text as day, $2::text as market, mode, data ->> 'placement' as placement, data ->> 'source' as source,
      (count(*) filter (where name = 'recommendation_view'))::int as views, (count(*) filter (where name = 'recommendation_click'))::int as clicks
    from insights.event where day = $1::date and market = $2 and name in ('recommendation_view', 'recommendation_click')
      and data ->> 'placement' = any($3::text[]) and data ->> 'source' = any($4::text[])
    group by 3, 4, 5`,
}
const storeRecommendations = replaceCounts({
  name: 'insights.roll-up-recommendations',
  table: 'recommendation_day',
  within: ofDay,
  columns: { day: 'date', market: 'text', mode: 'text', placement: 'text', source: 'text' },
  counts: ['views', 'clicks'],
})

/** Those of the contract, and of a row that has several reasons. */
const placements = ['article_page', 'cart_page', 'add_to_cart', 'homepage_b2c', 'category_listing']
const sources = ['goes_with', 'bought_together', 'also_viewed', 'popular', 'from_history', 'several']

export const countChannels =
  ({ day, market }: MarketDay): Count =>
  async (reports) => {
    const rows = await reports.rows(channels, [day, market])
    return async (db) => void (await db.run(storeChannels, [JSON.stringify(rows), day, market]))
  }

export const countRecommendations =
  ({ day, market }: MarketDay): Count =>
  async (reports) => {
    const rows = await reports.rows(recommendations, [day, market, placements, sources])
    return async (db) => void (await db.run(storeRecommendations, [JSON.stringify(rows), day, market]))
  }
