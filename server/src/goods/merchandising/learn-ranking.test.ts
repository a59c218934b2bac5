/** A week of simulated buyers and of forged ones, through the listing, the nightly job and the index. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { connectSearch, listProducts, ownOrder, productsIndex, rankingSignals, type RankingWeights } from '#listing'
import { testDatabase } from '#platform/testing'
import { rebuildIndex } from '../listing/rebuild-index.ts'
import { testEngine } from '../listing/test-engine.ts'
import { testOffer, testProduct, testReference } from '../listing/test-shop.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { applyLevers } from './apply-levers.ts'
import { setLearning } from './change-levers.ts'
import { handlers, jobs, schedules } from './jobs.ts'
import { rankerDays, weightsInUse } from './learn-ranking.ts'
import { takeEvents } from './take-events.ts'
import { learningRules, weightsAfter } from './train-ranking.ts'
import { flushSearches, noteSearch } from './watch-searches.ts'

const database = await testDatabase({ upTo: 'merchandising' })
const { db, pool } = database
await testReference(db)
const index = productsIndex('gb')

/** Pseudo-random numbers from 0 to 1: the same week in every run. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

// Popularity says little about what buyers want: well rated and not expensive.
const nouns = ['drill', 'saw', 'lamp']
const shelf = nouns.flatMap((noun, kind) => {
  const draw = random(kind + 11)
  return Array.from({ length: 30 }, (_, at) => ({
    id: kind * 100 + at + 1,
    noun,
    rating: 2 + Math.round(draw() * 30) / 10,
    price: 2_000 + Math.round(draw() * 28_000),
    popularity: Math.round(draw() * 50),
  }))
})
for (const { id, noun, rating, popularity } of shelf) await testProduct(db, { id, title: `Garden ${noun}`, rating, popularity })
for (const { id, price } of shelf) await testOffer(db, { id: id * 10, productId: id, price })
const engine = await testEngine()
connectSearch(engine)

/** What a product is worth to a buyer, from 0 to 3: hidden from the shop. */
const worth = new Map(
  shelf.map(({ id, rating, price }) => [String(id), Math.max(0, Math.min(3, 1.5 + (rating - 3.5) * 1.2 - (price - 16_000) / 12_000))]),
)

const day = 86_400_000
let now = new Date()
let moment = 0

beforeEach(async () => {
  now = new Date('2026-03-02T09:00:00Z')
  await pool.query(
    'truncate merchandising.search_event, merchandising.asked, merchandising.ranker_day, merchandising.ranking_in_use, merchandising.tuning',
  )
  await pool.query(`delete from platform.note where key = 'ranking-learned-until'`)
  await rebuildIndex({ db, engine, markets: ['gb'], now })
})

/** The list of a search, as a visitor sees it. */
async function search(noun: string): Promise<{ queryId: string; shown: string[] }> {
  moment += 61_000
  const listing = await listProducts(database.scope({ now: new Date(now.getTime() + (moment % 30_000_000)) }), {
    kind: 'search',
    query: noun,
  })
  assert.ok(listing.queryId)
  const shown = listing.cards.map(({ productId }) => productId)
  noteSearch({ market: 'gb', query: noun, results: listing.total, queryId: listing.queryId, shown }, now)
  await flushSearches(db)
  return { queryId: listing.queryId, shown }
}

const click = (queryID: string, id: string) => ({
  eventType: 'click' as const,
  eventName: 'card',
  index,
  userToken: 'v',
  objectIDs: [id],
  queryID,
})

/** Visitors look from the top, further down ever more rarely, and choose what is worth it to them, mostly. */
async function buyersOfDay(seed: number, buyers = 150): Promise<void> {
  const draw = random(seed)
  for (const noun of nouns) {
    const { queryId, shown } = await search(noun)
    for (let buyer = 0; buyer < buyers; buyer++) {
      const chosen = shown.filter((id, at) => draw() < 1 / (at + 1) ** 0.7 && draw() < 0.04 + (worth.get(id)! / 3) ** 2 * 0.6)
      const events = chosen.slice(0, 3).map((id) => click(queryId, id))
      if (events.length > 0) await takeEvents({ db, now }, events, `buyer ${noun} ${buyer}`)
    }
  }
}

/** The night: the hourly schedule and its jobs learn from the day that is over, and bring the weights to the index. */
async function night(): Promise<void> {
  now = new Date(now.getTime() + day)
  const learn = schedules.find(({ name }) => name === 'merchandising.learn')!
  await database.command({ now }, (scope) => learn.run(scope as Parameters<typeof learn.run>[0]))
  await runWork(database, handlers, jobs)
  // The worker's clock is the machine's; the week of this test is another one.
  await applyLevers({ db, engine, now }, 'gb')
}

const gain = (ids: readonly string[]) => ids.slice(0, 10).reduce((sum, id, at) => sum + (2 ** worth.get(id)! - 1) / Math.log2(at + 2), 0)
async function ndcg(): Promise<number> {
  let sum = 0
  for (const noun of nouns) {
    const { shown } = await search(noun)
    sum += gain(shown) / gain(shown.toSorted((a, b) => worth.get(b)! - worth.get(a)!))
  }
  return sum / nouns.length
}
const orders = async () => Promise.all(nouns.map(async (noun) => (await search(noun)).shown))

function farthestMove(before: readonly string[][], after: readonly string[][]): number {
  return Math.max(...before.flatMap((ids, list) => ids.map((id, at) => Math.abs(after[list]!.indexOf(id) - at))))
}

/** 100,000 clicks on a product far down a list, from 500 networks. */
async function forge(): Promise<void> {
  const { queryId, shown } = await search('drill')
  for (let network = 0; network < 500; network++)
    await takeEvents(
      { db, now },
      Array.from({ length: 200 }, () => click(queryId, shown[20]!)),
      `forger ${network}`,
    )
}

test('in a simulated week nDCG@10 of searches rises by five points and more, and an operator can turn it off', async () => {
  const before = await ndcg()
  for (let one = 0; one < 7; one++) {
    await buyersOfDay(one + 1)
    await night()
  }
  const after = await ndcg()
  assert.ok(after >= before + 0.05, `from ${before.toFixed(3)} to ${after.toFixed(3)}`)
  const days = await rankerDays(db, 'gb', now)
  assert.equal(days.length, 7)
  assert.ok(days.filter(({ own, learned }) => learned > own).length >= 5, 'mostly better for choices that were held back')
  const weights = (await weightsInUse(db, 'gb', now))!
  assert.ok(weights[rankingSignals.indexOf('rating')]! > 0 && weights[rankingSignals.indexOf('price')]! < 0)

  await database.command({}, (scope) => setLearning(scope, 'gb', false))
  await applyLevers({ db, engine, now }, 'gb')
  assert.equal(await ndcg(), before)
})

test('what has been learned fades when nobody comes any more', async () => {
  const before = await orders()
  for (let one = 0; one < 7; one++) {
    await buyersOfDay(one + 1)
    await night()
  }
  assert.ok(farthestMove(before, await orders()) > 1)
  for (let one = 0; one < learningRules.days; one++) await night()
  assert.deepEqual(await orders(), before)
})

test('100,000 forged clicks move no product by more than one place, in a shop that has learned nothing and in one that has', async () => {
  const unlearned = await orders()
  await forge()
  await night()
  assert.deepEqual(await orders(), unlearned)

  // Until two weeks agree about what buyers want.
  for (let one = 0; one < 20; one++) {
    await buyersOfDay(one + 1)
    await night()
  }
  const honest = await orders()
  assert.ok(farthestMove(unlearned, honest) > 1, 'it has learned')
  const days = await rankerDays(db, 'gb', now)
  // The same night once more, with the forgers.
  now = new Date(now.getTime() - day)
  await pool.query(`delete from platform.note where key = 'ranking-learned-until'`)
  await forge()
  await night()
  assert.notDeepEqual((await rankerDays(db, 'gb', now))[0], days[0], 'the forgers were among those of the day')
  assert.ok(farthestMove(honest, await orders()) <= 1, `${farthestMove(honest, await orders())} places`)
})

const of = (value: number) => rankingSignals.map(() => value)
const lastOf = (days: readonly RankingWeights[]) => days.slice(-learningRules.days)
const nights = (days: readonly RankingWeights[]) =>
  days.reduce<RankingWeights>((before, _, at) => weightsAfter(before, lastOf(days.slice(0, at + 1)), lastOf(days.slice(0, at))), ownOrder)

test('V-10 of one network twenty lists a day are learned from, however many it clicks in', async () => {
  await buyersOfDay(1)
  await night()
  await buyersOfDay(1)
  for (let at = 0; at < 60; at++) {
    const { queryId, shown } = await search('drill')
    await takeEvents({ db, now }, [click(queryId, shown[20]!)], 'one network')
  }
  await night()
  const [flooded, honest] = await rankerDays(db, 'gb', now)
  assert.equal(flooded!.looks, honest!.looks + 20)
})

test('what happens on three days moves the weights no further than into the middle of the other days', () => {
  const honest = Array.from({ length: 14 }, (_, at) => of(2 + ((at * 5) % 14) / 10))
  for (const forged of [-9, 9]) {
    const [before = 0] = nights(honest)
    const [after = 0] = nights([...honest, of(forged), of(forged), of(forged)])
    assert.ok(after >= Math.min(before, 2.3) && after <= Math.max(before, 3), `${forged}: from ${before} to ${after}`)
  }
})

test('one night moves nothing that the night before did not ask for, whatever was learned from it', () => {
  const days = Array.from({ length: 13 }, (_, at) => of(at))
  for (const last of [-1e6, 6, 1e6]) assert.deepEqual(weightsAfter(of(4), [...days, of(last)], days), of(4))
  const towards = of(1 + 2 * learningRules.pace)
  assert.deepEqual(weightsAfter(of(1), [...days, of(1e6)], days), towards, 'what both ask for, a third of the way')
  assert.deepEqual(weightsAfter(of(1), [...days, of(-1e6)], [...days, of(1e6)]), towards)
})

test('five days teach nothing, the sixth does', () => {
  const days = Array.from({ length: 6 }, () => of(9))
  assert.deepEqual(nights(days.slice(1)), ownOrder)
  assert.deepEqual(
    nights(days),
    ownOrder.map((own) => own + (9 - own) * learningRules.pace),
  )
})

test('a day with few looks, or with choices of few products, teaches nothing', async () => {
  await buyersOfDay(1, 10)
  await night()
  assert.deepEqual(await rankerDays(db, 'gb', now), [])
})
