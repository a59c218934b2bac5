/** A week of simulated buyers and of forged ones, through the listing, the nightly job and the index. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { connectSearch, listProducts, ownOrder, productsIndex, rankingSignals, type RankingWeights } from '#listing'
import { newId } from '#platform'
import { testDatabase } from '#platform/testing'
import { rebuildIndex } from '../listing/rebuild-index.ts'
import { testEngine } from '../listing/test-engine.ts'
import { testOffer, testProduct, testReference } from '../listing/test-shop.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { saveEvents, type StoredEvent } from './analytics-store.ts'
import { applyLevers } from './apply-levers.ts'
import { setLearning } from './change-levers.ts'
import { handlers, jobs, schedules } from './jobs.ts'
import { rankerDays, weightsInUse } from './learn-ranking.ts'
import { choicesOf, takeChoices } from './take-events.ts'
import { learningRules, weightsAfter, type TaughtDay } from './train-ranking.ts'
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

const prices = new Map(shelf.map(({ id, price }) => [String(id), price]))

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

/** Choices of many lines, in one statement. */
async function saveChoices(choices: readonly { line: string; queryId: string; ids: readonly string[] }[]): Promise<void> {
  const today = now.toISOString().slice(0, 10)
  const stored = choices.map(({ line, queryId, ids }): StoredEvent => {
    const senderHash = `${line} ${today}`
    return { id: newId(), market: 'gb', type: 'click', userToken: 'v', queryId, senderHash, productIds: [...ids] }
  })
  await saveEvents(db, stored, now)
}

/** Visitors look from the top, further down ever more rarely, and choose what is worth it to them, mostly. */
async function buyersOfDay(seed: number, buyers = 1500): Promise<void> {
  const draw = random(seed)
  for (const noun of nouns) {
    const { queryId, shown } = await search(noun)
    const choices = Array.from({ length: buyers }, (_, buyer) => {
      const chosen = shown.filter((id, at) => draw() < 1 / (at + 1) ** 0.7 && draw() < 0.04 + (worth.get(id)! / 3) ** 2 * 0.6)
      return { line: `buyer ${noun} ${buyer}`, queryId, ids: chosen.slice(0, 3) }
    })
    await saveChoices(choices.filter(({ ids }) => ids.length > 0))
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
    await takeChoices({ db, now }, choicesOf(Array.from({ length: 200 }, () => click(queryId, shown[20]!))), `forger ${network}`)
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

/** Sixty lines, each with the ten dearest products of the first places of each list. */
async function forgeDearest(): Promise<void> {
  for (const noun of nouns) {
    const { queryId, shown } = await search(noun)
    const ids = shown
      .slice(0, 24)
      .toSorted((a, b) => prices.get(b)! - prices.get(a)!)
      .slice(0, 10)
    await saveChoices(Array.from({ length: learningRules.forged }, (_, line) => ({ line: `forger ${line}`, queryId, ids })))
  }
}

test('V-10 neither 100,000 forged clicks of one night nor sixty lines on ten products for seven nights move a product by more than one place', async () => {
  const unlearned = await orders()
  await forge()
  await night()
  assert.deepEqual(await orders(), unlearned)

  // Until two weeks agree about what buyers want, in an order that they have made themselves.
  for (let one = 0; one < 22; one++) {
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

  const price = rankingSignals.indexOf('price')
  for (let one = 0; one < 7; one++) {
    await buyersOfDay(one + 23)
    await forgeDearest()
    await night()
    assert.ok(farthestMove(honest, await orders()) <= 1, `${farthestMove(honest, await orders())} places in night ${one + 1}`)
  }
  const forged = await rankerDays(db, 'gb', now)
  assert.ok(forged[0]!.weights[price]! > days[0]!.weights[price]! + 0.02, 'the forgers were learned from')
})

const of = (value: number) => rankingSignals.map(() => value)
const taught = (value: number, looks = 1e9): TaughtDay => ({ weights: of(value), looks })
const lastOf = (days: readonly TaughtDay[]) => days.slice(-learningRules.days)
const nights = (days: readonly TaughtDay[]) =>
  days.reduce<RankingWeights>((before, _, at) => weightsAfter(before, lastOf(days.slice(0, at + 1)), lastOf(days.slice(0, at))), ownOrder)

test('V-10 of one line one list a day is learned from, however many it clicks in', async () => {
  await buyersOfDay(1)
  await night()
  await buyersOfDay(1)
  for (let at = 0; at < 60; at++) {
    const { queryId, shown } = await search('drill')
    await takeChoices({ db, now }, choicesOf([click(queryId, shown[20]!)]), 'one network')
  }
  await night()
  const [flooded, honest] = await rankerDays(db, 'gb', now)
  assert.equal(flooded!.looks, honest!.looks + 1)
})

test('what happens on three days moves the weights no further than into the middle of the other days', () => {
  const honest = Array.from({ length: 14 }, (_, at) => taught(2 + ((at * 5) % 14) / 10))
  for (const forged of [-9, 9]) {
    const [before = 0] = nights(honest)
    const [after = 0] = nights([...honest, taught(forged), taught(forged), taught(forged)])
    assert.ok(after >= Math.min(before, 2.3) && after <= Math.max(before, 3), `${forged}: from ${before} to ${after}`)
  }
})

test('one night moves nothing that the night before did not ask for, whatever was learned from it', () => {
  const days = Array.from({ length: 13 }, (_, at) => taught(at))
  for (const last of [-1e6, 6, 1e6]) assert.deepEqual(weightsAfter(of(4), [...days, taught(last)], days), of(4))
  assert.deepEqual(weightsAfter(of(1), [...days, taught(1e6)], days), of(3), 'what both ask for')
  assert.deepEqual(weightsAfter(of(1), [...days, taught(-1e6)], [...days, taught(1e6)]), of(3))
})

test('V-10 weights stay where they are while forgers alone could have made the difference', () => {
  const { reach, forged } = learningRules
  const looks = 1000
  const doubt = (reach * forged) / looks
  for (const way of [-1, 1]) {
    const within = Array.from({ length: 14 }, () => taught(3 + way * doubt * 0.99, looks))
    assert.deepEqual(weightsAfter(of(3), within, within), of(3))
    const beyond = Array.from({ length: 14 }, () => taught(3 + way * doubt * 1.01, looks))
    assert.deepEqual(weightsAfter(of(3), beyond, beyond), of(3 + way * doubt * 1.01))
    // Single days with many looks make the others no surer.
    const some = [...within.slice(0, 8), ...beyond.slice(0, 6).map((one) => ({ ...one, looks: 1e9 }))]
    assert.deepEqual(weightsAfter(of(3), some, within), of(3))
  }
})

test('five days teach nothing, the sixth does', () => {
  const days = Array.from({ length: 6 }, () => taught(9))
  assert.deepEqual(nights(days.slice(1)), ownOrder)
  assert.deepEqual(nights(days), of(9))
})

test('a day with few looks, or with choices of few products, teaches nothing', async () => {
  await buyersOfDay(1, 60)
  await night()
  assert.deepEqual(await rankerDays(db, 'gb', now), [])
})
