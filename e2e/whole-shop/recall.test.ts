import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { demoOrders } from '@purlin/demo/orders.ts'
import { product } from '@purlin/demo/product.ts'
import { defaultSeed } from '@purlin/demo/index.ts'
import { seedDemoShop } from '@purlin/demo/seed.ts'
import { connectModules } from '@purlin/server/edges/connect-modules.ts'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { connectSearch, rebuildIndex } from '@purlin/server/goods/listing/index.ts'
import { testEngine } from '@purlin/server/goods/listing/test-engine.ts'
import { learn } from '@purlin/server/selling/recommendations/learn.ts'
import { recommendFrom, type Learnable, type Placement } from '@purlin/server/selling/recommendations/model.ts'
import { recommend } from '@purlin/server/selling/recommendations/recommend.ts'
import { writeModel } from '@purlin/server/selling/recommendations/store.ts'

/** Recommendations are learned from earlier orders of the demo's buyers, and measured by later ones. */

const products = 2_000
const all = demoOrders({ seed: defaultSeed, products, orders: 24_000 })
const orders = all.filter(({ length }) => length > 1)
const [train, held] = [orders.slice(0, -3_000), orders.slice(-3_000)]
const goods = Array.from({ length: products }, (_, index): Learnable => {
  const { id, family, brand, leaf, attributes, popularity } = product(defaultSeed, index)
  return { id: String(id), family: family.key, brandId: brand.id, categoryId: leaf.id, attributes, popularity }
})
const categoryOf = new Map(goods.map(({ id, categoryId }) => [id, categoryId]))
const model = learn(train, goods, (categoryId) => [categoryId])

const database = await testDatabase()
await seedDemoShop({ connectionString: database.connectionString, products, progress: () => undefined })
const engine = await testEngine()
connectSearch(engine)
connectModules()
await rebuildIndex({ db: database.db, engine, markets: ['gb'] })
await writeModel(database.db, 'gb', model, new Date())

type Rank = (id: string) => string[]
const together: Rank = (id) => recommendFrom(model, 'bought_together', { productIds: [id], categoryId: null, limit: 12 })
const popular: Rank = (id) => recommendFrom(model, 'popular', { productIds: [id], categoryId: null, limit: 12 })
const popularHere: Rank = (id) => recommendFrom(model, 'popular', { productIds: [id], categoryId: categoryOf.get(id) ?? null, limit: 12 })

/** What a placement shows beside each product that a buyer of the later orders took first. */
async function shownAt(placement: Placement): Promise<ReadonlyMap<string, string[]>> {
  const lists = new Map<string, string[]>()
  const scope = database.scope()
  const ids = new Set(held.map(([first = '']) => first))
  for (const id of ids) {
    // A search that a busy machine did not answer in time shows nothing.
    for (let attempt = 0; attempt < 5 && !lists.get(id)?.length; attempt++) {
      if (attempt > 0) await sleep(200)
      const rows = await recommend(scope, { placement, productIds: [id], categoryId: null })
      lists.set(
        id,
        rows.map(({ card }) => card.productId),
      )
    }
  }
  return lists
}

/** Of what the buyer of one product bought besides, the share among the first so many; and the same weighed by rank (nDCG). */
function measure(rank: Rank, shown: number): { recall: number; gain: number } {
  let recall = 0
  let gain = 0
  for (const [first = '', ...rest] of held) {
    const list = rank(first).slice(0, shown)
    const hits = list.flatMap((id, at) => (rest.includes(id) ? [1 / Math.log2(at + 2)] : []))
    const best = rest.slice(0, shown).reduce((sum, _, at) => sum + 1 / Math.log2(at + 2), 0)
    recall += hits.length / rest.length
    gain += hits.reduce((sum, each) => sum + each, 0) / best
  }
  return { recall: recall / held.length, gain: gain / held.length }
}

let state = 7
const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
const shuffledLists: Rank = (id) =>
  together(id)
    .map((each) => ({ each, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ each }) => each)

function isThreeTimesPopular(learned: { recall: number; gain: number }, length: number): void {
  assert.ok(learned.recall > 0.05, JSON.stringify(learned))
  for (const other of [popular, popularHere].map((rank) => measure(rank, length))) {
    assert.ok(learned.recall >= 3 * other.recall, JSON.stringify([learned, other]))
    assert.ok(learned.gain >= 3 * other.gain, JSON.stringify([learned, other]))
  }
}

test(
  'what product pages show finds at least three times as much of later orders of the demo as a list of the same length of what is popular, everywhere and in the category',
  { timeout: 300_000 },
  async (t) => {
    const lists = await shownAt('article_page')
    const longest = Math.max(...[...lists.values()].map(({ length }) => length))
    assert.equal(longest, 8)
    const learned = measure((id) => lists.get(id) ?? [], longest)
    t.diagnostic(JSON.stringify([learned, measure(popular, longest), measure(together, longest)]))
    isThreeTimesPopular(learned, longest)
  },
)

test('recall@9 of what is bought together alone is at least three times that of what is popular', () => {
  isThreeTimesPopular(measure(together, 9), 9)
})

test('the order of a list counts: reversed or shuffled it finds less on later orders, and finds it later', () => {
  const learned = measure(together, 9)
  const lists = { reversed: measure((id) => together(id).toReversed(), 9), shuffled: measure(shuffledLists, 9) }
  for (const [name, worse] of Object.entries(lists)) {
    assert.ok(learned.gain > 1.15 * worse.gain, `${name}: ${JSON.stringify([learned, worse])}`)
    assert.ok(learned.recall > 1.05 * worse.recall, `${name}: ${JSON.stringify([learned, worse])}`)
  }
})
