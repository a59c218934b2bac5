import type { Db } from '#platform'

const maxVisitors = 50_000
/** A visitor of a day with more products is a program; one with a single product says nothing. */
const maxProducts = 60

const viewed = {
  name: 'insights.viewed',
  text: `select day::text, array_agg(distinct product) as "productIds"
    from (select day, visitor_id, coalesce(data ->> 'productId', data ->> 'view_productId') as product from insights.event
      where day > (now() at time zone 'UTC')::date - 28 and market = $1 and name = 'page_view' and page_type = 'product' and visitor_id is not null) as v
    where product ~ '^[0-9]{1,18}$' group by day, visitor_id
    having count(distinct product) between 2 and $2 order by day desc limit $3`,
}

/** Products that visitors of a market viewed on one day, by day of the last four weeks; nothing says who viewed them. */
export async function readViewedByDay(db: Db, market: string): Promise<string[][][]> {
  const rows = await db.rows<{ day: string; productIds: string[] }>(viewed, [market, maxProducts, maxVisitors])
  return [...Map.groupBy(rows, ({ day }) => day).values()].map((day) => day.map(({ productIds }) => productIds))
}
