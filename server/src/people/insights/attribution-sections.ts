import { minorPerMajor } from '@purlin/contract/money.ts'
import { markets, type Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'
import type { Section } from './section.ts'

interface Counts {
  market: Market
  visits: number
  orders: number
  revenue: number
}
interface OfChannel extends Counts {
  channel: string
  category: string
}
interface OfCampaign extends OfChannel {
  campaign: string
}

const sums = 'sum(visits)::int as visits, sum(orders)::int as orders, sum(revenue)::float8 as revenue'
const recent = `from insights.channel_day where day > (now() at time zone 'UTC')::date - 28`
const byChannel = {
  name: 'insights.by-channel',
  text: `select market, channel, category, ${sums} ${recent} group by 1, 2, 3 order by market, revenue desc, visits desc, 2, 3 limit 200`,
}
const byCampaign = {
  name: 'insights.by-campaign',
  text: `select market, campaign, channel, category, ${sums} ${recent} and campaign <> '' group by 1, 2, 3, 4
    order by market, revenue desc, visits desc, 2, 3, 4 limit 200`,
}

interface Rate {
  market: string
  placement: string
  source: string
  views: number
  clicks: number
}
const rates = {
  name: 'insights.recommendation-rates',
  text: `select market, placement, source, sum(views)::int as views, sum(clicks)::int as clicks from insights.recommendation_day
    where day > (now() at time zone 'UTC')::date - 28 group by 1, 2, 3 order by market, placement, views desc, source limit 200`,
}

const percent = (part: number, all: number): string => (all === 0 ? '–' : `${((part / all) * 100).toFixed(1)} %`)
const counted = ({ market, visits, orders, revenue }: Counts): (string | number)[] => [
  visits,
  orders,
  percent(orders, visits),
  Math.round(revenue / minorPerMajor),
  markets[market].currency,
]
const countedColumns = ['Visits', 'Orders', 'Orders per visit', 'Paid', 'Currency']

/** Where visits and paid orders came from, and how often recommendations are chosen. */
export async function attributionSections(db: Db): Promise<Section[]> {
  const [channels, campaigns, chosen] = await Promise.all([
    db.rows<OfChannel>(byChannel),
    db.rows<OfCampaign>(byCampaign),
    db.rows<Rate>(rates),
  ])
  return [
    {
      title: 'Attribution by channel, 28 days',
      columns: ['Market', 'Channel', 'Source', ...countedColumns],
      rows: channels.map((row) => [row.market, row.channel, row.category, ...counted(row)]),
      empty: 'No visit has been counted yet; the worker counts every five minutes.',
    },
    {
      title: 'Attribution by campaign, 28 days',
      columns: ['Market', 'Campaign', 'Channel', 'Source', ...countedColumns],
      rows: campaigns.map((row) => [row.market, row.campaign, row.channel, row.category, ...counted(row)]),
      empty: 'No visitor has come by a link that names a campaign.',
    },
    {
      title: 'Click rates of recommendations, 28 days',
      columns: ['Market', 'Placement', 'Reason', 'Rows seen', 'Products chosen', 'Rate'],
      rows: chosen.map(({ market, placement, source, views, clicks }) => [
        market,
        placement,
        source,
        views,
        clicks,
        percent(clicks, views),
      ]),
      empty: 'No row of recommendations has been seen yet.',
    },
  ]
}
