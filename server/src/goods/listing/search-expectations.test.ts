import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Market } from '@purlin/contract/markets.ts'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { productsIndex } from './document.ts'
import { connectSearch } from './ports.ts'
import { rebuildIndex } from './rebuild-index.ts'
import { suggest } from './suggest.ts'
import { testEngine } from './test-engine.ts'
import { testOffer, testProduct, testReference, type TestProduct } from './test-shop.ts'

const database = await testDatabase()
const { db } = database
await testReference(db)
const bladeNames = { en: 'Saw blades', fr: 'Lames de scie', de: 'Sägeblätter', es: 'Hojas de sierra', it: 'Lame per sega' }
await db.run(
  {
    name: 'test.saw-blades',
    text: `insert into catalogue.category (id, parent_id, level, position, path, department, names, slugs)
      values (13, 1, 1, 2, '{1,13}', 'tools', $1, $1)`,
  },
  [JSON.stringify(bladeNames)],
)
let products = 0
/** Puts products on sale in a market; returns their ids. */
async function sell(market: Market, title: string, more: Partial<TestProduct> & { stock?: number } = {}): Promise<string> {
  const { stock = 10, ...of } = more
  const id = (products += 1)
  await testProduct(db, { id, title, ...of })
  await testOffer(db, { id, productId: id, market, stock, sellerId: market === 'gb' ? 1 : 4 })
  return String(id)
}

const hammer = await sell('gb', 'Claw hammer 450 g', { popularity: 50 })
const saw = await sell('gb', 'Circular saw 1200 W', { categoryId: 12, brandId: 2, popularity: 60 })
const blade = await sell('gb', 'Saw blade', { categoryId: 13, popularity: 900 })
const level = await sell('gb', 'Spirit level 60 cm')
const bits = await sell('gb', 'Screwdriver bits, 10 pcs')
const soldOut = await sell('gb', 'Garden hose 20 m', { popularity: 900, stock: 0 })
const hose = await sell('gb', 'Garden hose 25 m', { popularity: 10 })
const driver = await sell('de', 'Akkuschrauber 18 V')
const paint = await sell('de', 'Wandfarbe weiß 10 l')
const small = await sell('de', 'Wandfarbe weiß 2,5 l')
const screw = await sell('fr', 'Vis à bois 4x40 mm, 200 pièces')
const longer = await sell('fr', 'Vis à bois 5x60 mm, 100 pièces')
const grinder = await sell('fr', "Meuleuse d'angle 850 W")
const litres = await sell('fr', 'Peinture murale blanche 10 L')
const pot = await sell('fr', 'Peinture murale blanche 2,5 L')

const engine = await testEngine()
connectSearch(engine)
await rebuildIndex({ db, engine })
await engine.setSynonyms(productsIndex('gb'), [{ objectID: 's', type: 'synonym', synonyms: ['bubble level', 'spirit level'] }])

const gateway = await testGateway(database.pool)
interface Found {
  cards: { productId: string }[]
  predictedCategories: { id: number }[]
  facets: { key: string; values: { count: number; selected: boolean }[] }[]
  droppedWords: string[]
}
async function search(market: Market, query: string): Promise<Found> {
  const document = `query ($input: ListingInput!) { listing(input: $input) {
    cards { productId } predictedCategories { id } facets { key values { count selected } } droppedWords } }`
  const { body } = await gateway.post(document, { input: { kind: 'search', query } }, { host: `${market}.localhost` })
  return (body as { data: { listing: Found } }).data.listing
}
const ids = async (market: Market, query: string) => (await search(market, query)).cards.map(({ productId }) => productId)

const expectations: [what: string, market: Market, query: string, found: string[]][] = [
  ['a typo', 'gb', 'hamer', [hammer]],
  ['a typo in a long word', 'gb', 'circualr', [saw]],
  ['a plural', 'gb', 'hammers', [hammer]],
  ['a singular', 'gb', 'bit', [bits]],
  ['a synonym', 'gb', 'bubble level', [level]],
  ['a brand and a kind of goods', 'gb', 'brexiro saw', [saw]],
  ['a part number', 'gb', `TV-${saw}`, [saw]],
  ['an EAN', 'gb', String(2_000_000_000_000 + Number(level)), [level]],
  ['the end of a German compound', 'de', 'schrauber', [driver]],
  ['a German word without its sharp s', 'de', 'wandfarbe weiss 10 l', [paint]],
  ['another amount of the same', 'de', 'wandfarbe 2,5 l', [small]],
  ['a French elision', 'fr', 'meuleuse angle', [grinder]],
  ['an elision as it is spoken', 'fr', 'meuleuse d’angle', [grinder]],
  ['accents left out', 'fr', 'vis a bois 5x60', [longer]],
  ['a measure as on the packet', 'fr', 'vis 4x40', [screw]],
  ['a measure with blanks', 'fr', 'vis 4 x 40', [screw]],
]
for (const [what, market, query, found] of expectations) {
  test(`R-553 a search understands ${what}: "${query}"`, async () => {
    const [first] = await ids(market, query)
    assert.deepEqual([first], found)
  })
}

test('R-553 an amount in the query comes before the others: "peinture 10 l"', async () => {
  assert.deepEqual((await ids('fr', 'peinture 10 l'))[0], litres)
  assert.deepEqual((await ids('fr', 'peinture 2,5 l'))[0], pot)
})

test('R-553 available products come before sold-out ones, however popular', async () => {
  assert.deepEqual(await ids('gb', 'garden hose'), [hose, soldOut])
})

test('V-83 the thing comes before what only has its name: "saw" lists saws before their blades, however popular', async () => {
  const [first, ...rest] = await ids('gb', 'saw')
  assert.deepEqual([first, rest], [saw, [blade]])
  assert.equal((await ids('gb', 'saw blade'))[0], blade)
})

test('R-553 a search predicts its category, counts its facets and detects the brand', async () => {
  const { predictedCategories, facets } = await search('gb', 'circular saw')
  assert.deepEqual(
    predictedCategories.map(({ id }) => id),
    [12],
  )
  const hoses = await search('gb', 'garden hose')
  const stock = hoses.facets.find(({ key }) => key === 'stock')
  assert.deepEqual(
    stock?.values.map(({ count }) => count),
    [1],
  )
  assert.ok(facets.every(({ values }) => values.every(({ count, selected }) => count > 0 || selected)))
  assert.deepEqual(
    (await suggest(database.scope(), 'brex')).brands.map(({ name }) => name),
    ['Brexiro'],
  )
})

test('R-553 a superfluous word does not cause an empty page: it is dropped, and the page says so', async () => {
  const listing = await search('gb', 'circular saw xyzzy')
  assert.deepEqual([listing.cards[0]?.productId, listing.droppedWords], [saw, ['xyzzy']])
})

test('R-553 suggestions arrive within 100 ms once the dictionary is loaded', async () => {
  await suggest(database.scope(), 'ha')
  const typed = ['c', 'ci', 'cir', 'circ', 'hamm', 'gard', 'spir', 'screw', 'le']
  const took: number[] = []
  for (const query of typed) {
    const started = performance.now()
    await suggest(database.scope(), query)
    took.push(performance.now() - started)
  }
  const median = took.toSorted((a, b) => a - b)[typed.length >> 1] as number
  assert.ok(median < 100, `${median} ms`)
})
