import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testDatabase } from '#platform/testing'
import { productsIndex, queriesIndex } from './document.ts'
import { connectSearch } from './ports.ts'
import { rebuildIndex } from './rebuild-index.ts'
import { recommendForHistory } from './recommend.ts'
import { suggest } from './suggest.ts'
import { testEngine } from './test-engine.ts'
import { testOffer, testProduct, testReference, type TestProduct } from './test-shop.ts'

const database = await testDatabase({ upTo: 'pricing' })
const { db } = database
await testReference(db)
let products = 0
async function sell(title: string, more: Partial<TestProduct> = {}, sellerId = 1): Promise<string> {
  const id = (products += 1)
  await testProduct(db, { id, title, ...more })
  await testOffer(db, { id, productId: id, sellerId })
  return String(id)
}
const drills: string[] = []
for (let number = 0; number < 4; number += 1) drills.push(await sell(`Hammer drill ${18 + number} V`, { popularity: 100 - number }))
const saws: string[] = []
for (let number = 0; number < 3; number += 1)
  saws.push(await sell(`Circular saw ${number + 5} A`, { categoryId: 12, brandId: 2, popularity: 50 }))
const panel = await sell('Solar panel 400 W', { categoryId: 2257, brandId: 2 })
const trade = await sell('Trade saw 9 kW', { categoryId: 12 }, 3)

const engine = await testEngine()
connectSearch(engine)
await rebuildIndex({ db, engine, markets: ['gb'] })
const typed = (query: string, overrides = {}) => suggest(database.scope(overrides), query)

test('only queries with results are suggested: product types, categories, brands, and brands within a category', async () => {
  const { hits } = await engine.browse(queriesIndex('gb'), { hitsPerPage: 100 })
  const queries = Object.fromEntries(hits.map(({ query, popularity }) => [query, popularity]))
  assert.deepEqual(queries, {
    tools: 8,
    drills: 4,
    saws: 4,
    energy: 1,
    solar: 1,
    tarvok: 5,
    brexiro: 4,
    'drills tarvok': 4,
    'saws brexiro': 3,
    'hammer drill': 4,
    'circular saw': 3,
  })
})

test('the search box suggests by word prefix, ignoring accents and case', async () => {
  assert.deepEqual(
    (await typed('DRI')).categories.map(({ id }) => id),
    [11],
  )
  assert.deepEqual(
    (await typed('sol')).categories.map(({ id }) => id),
    [2257],
  )
  const german = await typed('sage', { market: 'de' })
  assert.deepEqual(
    german.categories.map(({ id }) => id),
    [12],
  )
  assert.deepEqual(
    (await typed('Brexí')).brands.map(({ name }) => name),
    ['Brexiro'],
  )
})

test('a single letter suggests no categories, and leading blanks do not count', async () => {
  assert.deepEqual((await typed('   ')).categories, [])
  assert.deepEqual(
    (await typed('  dri')).categories.map(({ id }) => id),
    [11],
  )
})

test('nothing is suggested that the storefront does not sell', async () => {
  const found = async (mode: 'b2c' | 'b2b') => (await typed('trade saw', { mode })).products.map(({ productId }) => productId)
  assert.ok(!(await found('b2c')).includes(trade))
  assert.ok((await found('b2b')).includes(trade))
})

test('an operator’s redirect rule applies while typing', async () => {
  await engine.setRules(productsIndex('gb'), [
    { objectID: 'r', conditions: [{ pattern: 'sun', anchoring: 'is' }], consequence: { userData: { redirect: '/energy-2' } } },
  ])
  assert.equal((await typed('sun')).redirectUrl, '/energy-2')
  assert.equal((await typed('sund')).redirectUrl, null)
})

test('any input gets a response, and nothing is suggested twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 300 }), async (query) => {
      const { queries, categories, brands, products: cards } = await typed(query)
      assert.ok(queries.length <= 6 && categories.length <= 4 && brands.length <= 3 && cards.length <= 5)
      const lists: (string | number)[][] = [queries, categories.map(({ id }) => id), brands.map(({ id }) => id)]
      for (const list of lists) assert.equal(new Set(list).size, list.length)
    }),
    { numRuns: 150 },
  )
})

test('the last viewed product weighs most: its category and brand come first', async () => {
  const recommended = async (...seen: string[]) => (await recommendForHistory(database.scope(), seen)).map(({ productId }) => productId)
  const lastSaw = await recommended(saws[0]!, drills[0]!, drills[1]!)
  assert.ok(lastSaw.every((id) => ![saws[0], drills[0], drills[1]].includes(id)))
  assert.deepEqual(new Set(lastSaw), new Set([saws[1], saws[2], drills[2], drills[3]]))
  assert.ok(drills.includes((await recommended(drills[0]!, drills[1]!, saws[0]!))[0]!))
  assert.ok(saws.includes((await recommended(saws[0]!, saws[1]!, drills[0]!))[0]!))
  assert.ok(!(await recommended(drills[0]!, drills[1]!, saws[0]!)).includes(panel))
})
