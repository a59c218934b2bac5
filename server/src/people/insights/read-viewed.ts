import type { Db } from '#platform'

export const viewRules = {
  /** The last days, today included. */
  days: 28,
  /** A visitor of a day with more products is a program; one with a single product says nothing. */
  maxProducts: 60,
  /** Visitors of one day: of a group of networks, and of a market. */
  visitorsOfNetwork: 5,
  visitorsOfMarket: 1_800,
} as const

/** Products that one visitor viewed on one day; nothing says who. */
export interface DayOfVisitor {
  network: number
  productIds: string[]
}

// Days are ours: an id tells the time of its sender, who may be lying. When a day has too many visitors, each network's first
// one goes before the second of any, so that those of a few networks do not keep the others from being counted.
const viewed = {
  name: 'insights.viewed',
  text: `with visitor as (
      select (received_at at time zone 'UTC')::date as day, visitor_id, min(received_at) as at, (array_agg(network order by received_at, id))[1] as network,
        array_agg(distinct product) as products
      from (select *, coalesce(data ->> 'productId', data ->> 'view_productId') as product from insights.event
        where day > (now() at time zone 'UTC')::date - $2::integer - 2 and received_at >= ((now() at time zone 'UTC')::date - $2::integer + 1)::timestamp at time zone 'UTC'
          and market = $1 and name = 'page_view' and page_type = 'product' and visitor_id is not null and network is not null) as v
      where product ~ '^[0-9]{1,18}$' group by 1, 2 having count(distinct product) between 2 and $3
    ), of_network as (
      select visitor.*, row_number() over (partition by day, network order by at, visitor_id) as place from visitor
    ), of_market as (
      select of_network.*, row_number() over (partition by day order by place, md5(day || visitor_id::text)) as turn from of_network where place <= $4
    )
    select day::text, network, products as "productIds" from of_market where turn <= $5 order by day, turn`,
}

/** What visitors of a market viewed, by day; only those whose id this server issued. */
export async function readViewedByDay(db: Db, market: string): Promise<DayOfVisitor[][]> {
  const { days, maxProducts, visitorsOfNetwork, visitorsOfMarket } = viewRules
  const rows = await db.rows<DayOfVisitor & { day: string }>(viewed, [market, days, maxProducts, visitorsOfNetwork, visitorsOfMarket])
  return [...Map.groupBy(rows, ({ day }) => day).values()].map((day) => day.map(({ network, productIds }) => ({ network, productIds })))
}
