import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoOrders } from '@purlin/demo/orders.ts'
import { product } from '@purlin/demo/product.ts'
import { defaultSeed } from '@purlin/demo/index.ts'
import { learn } from '@purlin/server/selling/recommendations/learn.ts'
import { recommendFrom, type Learnable } from '@purlin/server/selling/recommendations/model.ts'

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

const shown = 9
type Rank = (id: string) => string[]
const together: Rank = (id) => recommendFrom(model, 'bought_together', { productIds: [id], categoryId: null, limit: 12 })
const popular: Rank = (id) => recommendFrom(model, 'popular', { productIds: [id], categoryId: null, limit: 12 })
const popularHere: Rank = (id) => recommendFrom(model, 'popular', { productIds: [id], categoryId: categoryOf.get(id) ?? null, limit: 12 })

/** Of what the buyer of one product bought besides, the share among the first nine; and the same weighed by rank (nDCG@9). */
function measure(rank: Rank): { recall: number; gain: number } {
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

test('recall@9 on later orders of the demo is at least three times that of what is popular, everywhere and in the category', () => {
  const [learned, ...others] = [together, popular, popularHere].map(measure)
  assert.ok(learned && learned.recall > 0.05, JSON.stringify(learned))
  for (const other of others) {
    assert.ok(learned.recall >= 3 * other.recall, JSON.stringify([learned, other]))
    assert.ok(learned.gain >= 3 * other.gain, JSON.stringify([learned, other]))
  }
})

test('the order of a list counts: reversed or shuffled it finds less on later orders, and finds it later', () => {
  const learned = measure(together)
  for (const [name, worse] of Object.entries({ reversed: measure((id) => together(id).toReversed()), shuffled: measure(shuffledLists) })) {
    assert.ok(learned.gain > 1.15 * worse.gain, `${name}: ${JSON.stringify([learned, worse])}`)
    assert.ok(learned.recall > 1.05 * worse.recall, `${name}: ${JSON.stringify([learned, worse])}`)
  }
})
