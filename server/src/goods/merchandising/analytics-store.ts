import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'

const addCounts = {
  name: 'merchandising.add-searches',
  text: `insert into merchandising.query_day (market, day, query, searches, without_results)
         select market, day, query, searches, "withoutResults"
         from jsonb_to_recordset($1::jsonb) as row(market text, day date, query text, searches integer, "withoutResults" integer)
         order by market, day, query
         on conflict (market, day, query) do update set searches = query_day.searches + excluded.searches,
           without_results = query_day.without_results + excluded.without_results`,
}
export function addSearches(db: Db, counts: readonly object[]): Promise<number> {
  return db.run(addCounts, [JSON.stringify(counts)])
}

const addQuestions = {
  name: 'merchandising.add-asked',
  text: `insert into merchandising.asked (query_id, market, day, query, shown)
         select "queryId", market, day, query, array(select jsonb_array_elements_text(shown))
         from jsonb_to_recordset($1::jsonb) as row("queryId" text, market text, day date, query text, shown jsonb)
         on conflict do nothing`,
}
export function addAsked(db: Db, asked: readonly object[]): Promise<number> {
  return db.run(addQuestions, [JSON.stringify(asked)])
}

export interface StoredEvent {
  id: string
  market: Market
  type: 'click' | 'conversion' | 'view'
  userToken: string
  queryId: string | null
  /** A hash of the sender's network, if it is counted. */
  senderHash: string | null
  productIds: string[]
}

const addEvents = {
  name: 'merchandising.add-events',
  text: `insert into merchandising.search_event (id, market, type, user_token, query_id, sender_hash, product_ids)
         select id, market, type, "userToken", "queryId", "senderHash", array(select jsonb_array_elements_text("productIds"))
         from jsonb_to_recordset($1::jsonb) as row(id uuid, market text, type text, "userToken" text, "queryId" text, "senderHash" text, "productIds" jsonb)`,
}
export function saveEvents(db: Db, events: readonly StoredEvent[]): Promise<number> {
  return db.run(addEvents, [JSON.stringify(events)])
}

const countClicks = {
  name: 'merchandising.count-clicks',
  text: `update merchandising.query_day day set clicks = day.clicks + clicked.clicks
         from (select market, day, query, count(*)::int as clicks from merchandising.asked where query_id = any($1) group by 1, 2, 3) clicked
         where day.market = clicked.market and day.query = clicked.query and day.day = clicked.day`,
}
/** Attributes clicks to their queries, as far as these are still known. */
export function addClicks(db: Db, queryIds: readonly string[]): Promise<number> {
  return db.run(countClicks, [queryIds])
}

export interface QueryFigures {
  query: string
  searches: number
  withoutResults: number
  clicks: number
}

const popular = {
  name: 'merchandising.popular',
  text: `select query, sum(searches)::int as searches, sum(without_results)::int as "withoutResults", sum(clicks)::int as clicks
         from merchandising.query_day where market = $1 and day between $2 and $3 group by query order by 2 desc, 1 limit $4`,
}
export function popularQueries(db: Db, market: Market, from: string, to: string, limit: number): Promise<QueryFigures[]> {
  return db.rows<QueryFigures>(popular, [market, from, to, limit])
}

const fruitless = {
  name: 'merchandising.fruitless',
  text: `select query, sum(searches)::int as searches, sum(without_results)::int as "withoutResults", sum(clicks)::int as clicks
         from merchandising.query_day where market = $1 and day between $2 and $3 group by query
         having sum(without_results) > 0 order by 3 desc, 1 limit $4`,
}
export function queriesWithoutResults(db: Db, market: Market, from: string, to: string, limit: number): Promise<QueryFigures[]> {
  return db.rows<QueryFigures>(fruitless, [market, from, to, limit])
}

// A sender has at most twenty products in a run. Two senders are the first to weigh anything, four weigh twice as much, and so on.
const takeWeights = {
  name: 'merchandising.take-weights',
  text: `with taken as (
           update merchandising.search_event set counted = true
           where id in (select id from merchandising.search_event where not counted order by at limit 20000)
           returning market, query_id, coalesce(sender_hash, user_token) as sender, type, product_ids),
         shown as (
           select distinct taken.sender, product.id
           from taken join merchandising.asked on asked.query_id = taken.query_id and asked.market = taken.market,
             unnest(taken.product_ids) as product (id)
           where taken.type in ('click', 'conversion') and product.id = any(asked.shown) and product.id ~ '^[0-9]{1,18}$'),
         earlier as (
           select coalesce(event.sender_hash, event.user_token) as sender, product.id
           from merchandising.search_event event, unnest(event.product_ids) as product (id)
           where event.counted and event.at > now() - interval '1 day' and product.id in (select shown.id from shown)),
         said as (
           select shown.sender, shown.id as product_id from shown
           where not exists (select from earlier where earlier.sender = shown.sender and earlier.id = shown.id)),
         bounded as (select sender, product_id, row_number() over (partition by sender order by product_id) as place from said)
         select product_id as "productId", floor(log(2, count(*)))::int as weight
         from bounded where place <= 20 group by 1 having count(*) >= 2`,
}
/**
 * The popularity gained from events not yet counted. An event counts if its query id is one that we issued for a result with
 * this product, and once a day for each sender; what is bought counts elsewhere, from our own orders. (V-10)
 */
export function takeEventWeights(db: Db): Promise<{ productId: string; weight: number }[]> {
  return db.rows(takeWeights)
}

const forget = {
  name: 'merchandising.forget',
  text: `with old_events as (delete from merchandising.search_event where at < now() - interval '90 days'),
              old_asked as (delete from merchandising.asked where at < now() - interval '1 day')
         delete from merchandising.query_day where day < current_date - 400`,
}
export function forgetOldSearches(db: Db): Promise<number> {
  return db.run(forget)
}

const forgetVisitor = { name: 'merchandising.forget-visitor', text: 'delete from merchandising.search_event where user_token = $1' }

/** Deletes the search events of a visitor who withdrew consent. */
export async function forgetSearchesOf(db: Db, visitorId: string): Promise<void> {
  await db.run(forgetVisitor, [visitorId])
}
