import type { Market } from '@purlin/contract/markets.ts'
import type { Db } from '#platform'

/** Distinct queries of a market and day that are counted: anybody can invent them, and they stay for a year. */
export const maxQueriesOfDay = 10_000
/** Days after which queries that came only once or twice are deleted, and all others. */
const keptDays = { rare: 30, all: 400 }

const addCounts = {
  name: 'merchandising.add-searches',
  text: `with counted as materialized (
      select market, day, query, searches, "withoutResults" as without_results
      from jsonb_to_recordset($1::jsonb) as row(market text, day date, query text, searches integer, "withoutResults" integer)
    ), sorted as (
      select counted.*, known.is_known,
        row_number() over (partition by market, day, known.is_known is null order by counted.searches desc, query) as nth
      from counted left join lateral (
        select true as is_known from merchandising.query_day q where (q.market, q.day, q.query) = (counted.market, counted.day, counted.query)) known on true
    ), room as materialized (
      select market, day, $2::integer - (select count(*) from merchandising.query_day q where q.market = c.market and q.day = c.day) as free
      from (select distinct market, day from counted) c
    )
    insert into merchandising.query_day (market, day, query, searches, without_results)
    select market, day, query, searches, without_results from sorted join room using (market, day)
    where is_known or nth <= room.free order by market, day, query
    on conflict (market, day, query) do update set searches = query_day.searches + excluded.searches,
      without_results = query_day.without_results + excluded.without_results`,
}
export function addSearches(db: Db, counts: readonly object[]): Promise<number> {
  return db.run(addCounts, [JSON.stringify(counts), maxQueriesOfDay])
}

const addQuestions = {
  name: 'merchandising.add-asked',
  text: `insert into merchandising.asked (query_id, market, day, query, shown, at)
         select "queryId", market, day, query, array(select jsonb_array_elements_text(shown)), at
         from jsonb_to_recordset($1::jsonb) as row("queryId" text, market text, day date, query text, shown jsonb, at timestamptz)
         on conflict do nothing`,
}
export function addAsked(db: Db, asked: readonly object[]): Promise<number> {
  return db.run(addQuestions, [JSON.stringify(asked)])
}

const stored = {
  name: 'merchandising.stored-queries',
  text: 'select query_id as "queryId" from merchandising.asked where query_id = any($1::text[])',
}
/** Those of the ids that belong to a stored search. */
export async function storedQueries(db: Db, queryIds: readonly string[]): Promise<string[]> {
  return (await db.rows<{ queryId: string }>(stored, [queryIds])).map(({ queryId }) => queryId)
}

export interface StoredEvent {
  id: string
  market: Market
  type: 'click' | 'conversion' | 'view'
  userToken: string
  queryId: string | null
  /** A hash of the sender's network and the day, if it is counted. */
  senderHash: string | null
  productIds: string[]
}

const addEvents = {
  name: 'merchandising.add-events',
  text: `insert into merchandising.search_event (id, market, type, user_token, query_id, sender_hash, product_ids, at)
         select id, market, type, "userToken", "queryId", "senderHash", array(select jsonb_array_elements_text("productIds")), $2
         from jsonb_to_recordset($1::jsonb) as row(id uuid, market text, type text, "userToken" text, "queryId" text, "senderHash" text, "productIds" jsonb)
         order by id on conflict (id) do nothing returning type, query_id as "queryId"`,
}
/** Those that were new. */
export function saveEvents(db: Db, events: readonly StoredEvent[], at: Date): Promise<Pick<StoredEvent, 'type' | 'queryId'>[]> {
  return db.rows(addEvents, [JSON.stringify(events), at])
}

const countChoices = {
  name: 'merchandising.count-choices',
  text: `update merchandising.query_day day set clicks = day.clicks + chosen.clicks, conversions = day.conversions + chosen.conversions
         from (select market, day, query, (count(*) filter (where type = 'click'))::int as clicks,
                 (count(*) filter (where type = 'conversion'))::int as conversions
               from jsonb_to_recordset($1::jsonb) as event(type text, "queryId" text)
               join merchandising.asked on query_id = event."queryId" group by 1, 2, 3) chosen
         where day.market = chosen.market and day.query = chosen.query and day.day = chosen.day`,
}
/** Attributes clicks and conversions to their queries, as far as these are still known. */
export function addChoices(db: Db, events: readonly Pick<StoredEvent, 'type' | 'queryId'>[]): Promise<number> {
  return db.run(countChoices, [JSON.stringify(events)])
}

/** A click or a conversion on a day of a market. */
interface Choice {
  market: Market
  day: string
  type: 'click' | 'conversion'
}
const counted = ({ type }: Choice): [number, number] => (type === 'click' ? [1, 0] : [0, 1])

const countQueryChoice = {
  name: 'merchandising.count-query-choice',
  text: `insert into merchandising.query_day (market, day, query, clicks, conversions) values ($1, $2, $3, $4, $5)
         on conflict (market, day, query) do update
         set clicks = query_day.clicks + excluded.clicks, conversions = query_day.conversions + excluded.conversions`,
}
export function addQueryChoice(db: Db, choice: Choice & { query: string }): Promise<number> {
  return db.run(countQueryChoice, [choice.market, choice.day, choice.query, ...counted(choice)])
}

const countCategoryChoice = {
  name: 'merchandising.count-category-choice',
  text: `insert into merchandising.category_day (market, day, category_id, clicks, conversions) values ($1, $2, $3, $4, $5)
         on conflict (market, day, category_id) do update
         set clicks = category_day.clicks + excluded.clicks, conversions = category_day.conversions + excluded.conversions`,
}
export function addCategoryChoice(db: Db, choice: Choice & { categoryId: number }): Promise<number> {
  return db.run(countCategoryChoice, [choice.market, choice.day, choice.categoryId, ...counted(choice)])
}

export interface CategoryFigures {
  categoryId: number
  clicks: number
  conversions: number
}

const chosenCategories = {
  name: 'merchandising.chosen-categories',
  text: `select category_id as "categoryId", sum(clicks)::int as clicks, sum(conversions)::int as conversions
         from merchandising.category_day where market = $1 and day between $2 and $3 group by category_id order by 2 desc, 1 limit $4`,
}
/** Categories by what was chosen in their lists. */
export function categoryFigures(db: Db, market: Market, from: string, to: string, limit: number): Promise<CategoryFigures[]> {
  return db.rows<CategoryFigures>(chosenCategories, [market, from, to, limit])
}

export interface QueryFigures {
  query: string
  searches: number
  withoutResults: number
  clicks: number
  conversions: number
}

const popular = {
  name: 'merchandising.popular',
  text: `select query, sum(searches)::int as searches, sum(without_results)::int as "withoutResults", sum(clicks)::int as clicks,
           sum(conversions)::int as conversions
         from merchandising.query_day where market = $1 and day between $2 and $3 group by query order by 2 desc, 1 limit $4`,
}
export function popularQueries(db: Db, market: Market, from: string, to: string, limit: number): Promise<QueryFigures[]> {
  return db.rows<QueryFigures>(popular, [market, from, to, limit])
}

const fruitless = {
  name: 'merchandising.fruitless',
  text: `select query, sum(searches)::int as searches, sum(without_results)::int as "withoutResults", sum(clicks)::int as clicks,
           sum(conversions)::int as conversions
         from merchandising.query_day where market = $1 and day between $2 and $3 group by query
         having sum(without_results) > 0 order by 3 desc, 1 limit $4`,
}
export function queriesWithoutResults(db: Db, market: Market, from: string, to: string, limit: number): Promise<QueryFigures[]> {
  return db.rows<QueryFigures>(fruitless, [market, from, to, limit])
}

const forget = {
  name: 'merchandising.forget',
  text: `with old_events as (delete from merchandising.search_event where at < now() - interval '90 days'),
              old_asked as (delete from merchandising.asked where at < now() - interval '3 days'),
              old_categories as (delete from merchandising.category_day where day < current_date - ${keptDays.all})
         delete from merchandising.query_day
         where day < current_date - ${keptDays.all} or (day < current_date - ${keptDays.rare} and searches < 3)`,
}
export function forgetOldSearches(db: Db): Promise<number> {
  return db.run(forget)
}

const forgetVisitor = {
  name: 'merchandising.forget-visitor',
  text: `delete from merchandising.search_event where user_token = $1 and at <= coalesce($2::timestamptz, 'infinity')`,
}

/** Deletes the search events of a visitor who withdrew consent, until then. */
export async function forgetSearchesOf(db: Db, visitorId: string, until?: string): Promise<void> {
  await db.run(forgetVisitor, [visitorId, until ?? null])
}
