import type { Market } from '@purlin/contract/markets.ts'
import type { SearchEngine } from '@purlin/search/types.ts'
import { readNote, writeNote, type Db } from '#platform'
import { ownOrder, productsIndex, signalsOf, type ProductDocument, type RankingWeights } from '#listing'
import { addDays } from '#pricing'
import { readLearns } from './store.ts'
import { learnDay, learningRules, weightsAfter, type DayOfLearning, type Look } from './train-ranking.ts'

/** Looks at lists of a market that are considered of one day. */
const looksOfMarket = 5_000

// Of each line one list counts, whichever it is, and what was chosen from it: a line is as many networks and visitors as it likes to be.
const readLooks = {
  name: 'merchandising.looks-of-day',
  text: `with choice as (
      select e.sender_hash as sender, e.query_id, min(e.at) as at, array_agg(distinct product.id) as chosen
      from merchandising.search_event e, unnest(e.product_ids) as product (id)
      where e.market = $1 and e.at >= $2::date::timestamp at time zone 'UTC' and e.at < ($2::date + 1)::timestamp at time zone 'UTC'
        and e.type in ('click', 'conversion') and e.sender_hash is not null
      group by 1, 2
    ), look as (
      select distinct on (c.sender) a.shown, c.chosen, md5(c.sender || c.query_id) as lot from choice c
      join merchandising.asked a on a.query_id = c.query_id and a.market = $1 and a.at > c.at - interval '1 day' and a.shown && c.chosen
      order by c.sender, lot
    )
    select shown, chosen, ('x' || left(md5(lot), 7))::bit(28)::integer % $4 = 0 as "isHeldBack" from look order by lot limit $3`,
}

const saveDay = {
  name: 'merchandising.save-ranker-day',
  text: `insert into merchandising.ranker_day (market, day, weights, own, learned, looks) values ($1, $2, $3, $4, $5, $6)
         on conflict (market, day) do update
         set weights = excluded.weights, own = excluded.own, learned = excluded.learned, looks = excluded.looks`,
}
const selectDays = {
  name: 'merchandising.ranker-days',
  text: `select day::text as day, weights, own, learned, looks from merchandising.ranker_day
         where market = $1 and day >= $2::date - $3::integer and day < $2::date order by day desc`,
}
const forgetDays = {
  name: 'merchandising.forget-ranker-days',
  text: `with in_use as (delete from merchandising.ranking_in_use where day < $1::date - 30)
    delete from merchandising.ranker_day where day < $1::date - 30`,
}
const saveInUse = {
  name: 'merchandising.save-ranking-in-use',
  text: `insert into merchandising.ranking_in_use (market, day, weights) values ($1, $2, $3)
         on conflict (market, day) do update set weights = excluded.weights`,
}
const selectInUse = {
  name: 'merchandising.ranking-in-use',
  text: `select weights from merchandising.ranking_in_use
    where market = $1 and day >= $2::date - $3::integer and day < $2::date order by day desc limit 1`,
}

export interface RankerDay {
  day: string
  weights: RankingWeights
  own: number
  learned: number
  looks: number
}

export function rankerDays(db: Db, market: Market, now: Date): Promise<RankerDay[]> {
  return daysBefore(db, market, now.toISOString().slice(0, 10))
}

function daysBefore(db: Db, market: Market, day: string): Promise<RankerDay[]> {
  return db.rows(selectDays, [market, day, learningRules.days])
}

async function readInUse(db: Db, market: Market, before: string): Promise<RankingWeights | null> {
  const [row] = await db.rows<{ weights: RankingWeights }>(selectInUse, [market, before, learningRules.days])
  return row?.weights ?? null
}

/** The weights that the last nights have taught; null when none of them did, or an operator has turned learning off. */
export async function weightsInUse(db: Db, market: Market, now: Date): Promise<RankingWeights | null> {
  const [weights, learns] = await Promise.all([readInUse(db, market, now.toISOString().slice(0, 10)), readLearns(db, market)])
  return learns ? weights : null
}

/** Learns from one day (UTC) of one market's searches, and brings the weights in use up to date; the same again if it is repeated. */
export async function learnFromDay(context: { db: Db; engine: SearchEngine }, market: Market, day: string): Promise<void> {
  const { db } = context
  const learned = await learnedOnDay(context, market, day)
  if (learned) await db.run(saveDay, [market, day, JSON.stringify(learned.weights), learned.own, learned.learned, learned.looks])
  const before = await readInUse(db, market, day)
  const [tonight, aNightAgo] = await Promise.all([daysBefore(db, market, addDays(day, 1)), daysBefore(db, market, day)])
  if (tonight.length === 0 && before === null) return
  await db.run(saveInUse, [market, day, JSON.stringify(weightsAfter(before ?? ownOrder, tonight, aNightAgo))])
}

async function learnedOnDay({ db, engine }: { db: Db; engine: SearchEngine }, market: Market, day: string): Promise<DayOfLearning | null> {
  const rows = await db.rows<{ shown: string[]; chosen: string[]; isHeldBack: boolean }>(readLooks, [
    market,
    day,
    looksOfMarket,
    learningRules.heldBack,
  ])
  const ids = [...new Set(rows.flatMap(({ shown }) => shown.slice(0, learningRules.places)))]
  if (ids.length === 0) return null
  const documents = (await engine.getObjects(productsIndex(market), ids)) as (ProductDocument | null)[]
  const known = new Map(documents.flatMap((document) => (document ? [[document.objectID, document]] : [])))
  const looks = rows.flatMap(({ shown, chosen, isHeldBack }): Look[] => {
    const hits = shown.slice(0, learningRules.places).flatMap((id) => known.get(id) ?? [])
    const picked = new Set(hits.flatMap(({ objectID }, at) => (chosen.includes(objectID) ? at : [])))
    if (picked.size === 0 || hits.length < 2) return []
    // Among equals the engine's own order is that of the index; what was shown had been ordered by earlier learning.
    const own = hits.toSorted((a, b) => Number(b.inStock) - Number(a.inStock) || b.popularity - a.popularity)
    const signals = signalsOf(own)
    return [
      {
        signals: hits.map((hit) => signals[own.indexOf(hit)] ?? []),
        productIds: hits.map(({ objectID }) => objectID),
        chosen: picked,
        isHeldBack,
      },
    ]
  })
  return learnDay(looks)
}

const learnedNote = 'ranking-learned-until'

/** The day (UTC) that is over and not yet learned from, once; null otherwise. Queries are not kept for much longer. */
export async function dayToLearn(db: Db, now: Date): Promise<string | null> {
  const yesterday = addDays(now.toISOString().slice(0, 10), -1)
  if (((await readNote<string>(db, learnedNote)) ?? '') >= yesterday) return null
  await writeNote(db, learnedNote, yesterday)
  return yesterday
}

export async function forgetRankerDays(db: Db, now: Date): Promise<void> {
  await db.run(forgetDays, [now.toISOString().slice(0, 10)])
}
