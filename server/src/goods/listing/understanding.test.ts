import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Market } from '@purlin/contract/markets.ts'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { connectSearch } from './ports.ts'
import { rebuildIndex } from './rebuild-index.ts'
import { testEngine } from './test-engine.ts'
import { testOffer, testProduct, testReference, type TestProduct } from './test-shop.ts'

const database = await testDatabase()
const { db } = database
await testReference(db)
const add = (name: string, text: string) => ({ name: `test.${name}`, text })
const attribute = add('length', `insert into catalogue.attribute (key, kind, names, units, decimals) values ($1, $2, $3, $4, 0)`)
const five = (text: string) => JSON.stringify({ en: text, fr: text, de: text, es: text, it: text })
await db.run(attribute, ['bar_cm', 'number', five('Bar'), five('cm')])
await db.run(attribute, ['width_cm', 'number', five('Width'), five('cm')])
await db.run(attribute, ['power_source', 'text', five('Power source'), null])
const value = add('power', `insert into catalogue.attribute_word (value, names) values ($1, $2)`)
await db.run(value, ['battery', JSON.stringify({ en: 'cordless', fr: 'sans fil', de: 'Akku', es: 'a batería', it: 'a batteria' })])
await db.run(value, ['mains', JSON.stringify({ en: 'corded', fr: 'filaire', de: 'mit Netzkabel', es: 'con cable', it: 'con cavo' })])

let products = 0
async function sell(market: Market, title: string, more: Partial<TestProduct> & { condition?: string } = {}): Promise<string> {
  const { condition = 'new', ...of } = more
  const id = (products += 1)
  await testProduct(db, { id, title, ...of })
  await testOffer(db, { id, productId: id, market, condition, sellerId: market === 'gb' ? 1 : 4 })
  return String(id)
}
const cordless = await sell('gb', 'Drill 18 V', { attributes: { voltage: 18, power_source: 'battery', color: 'blue' } })
const strong = await sell('gb', 'Drill 36 V', { attributes: { voltage: 36, power_source: 'battery', color: 'red' } })
const corded = await sell('gb', 'Drill 230 V', { attributes: { voltage: 230, power_source: 'mains', color: 'blue' }, brandId: 2 })
const used = await sell('gb', 'Drill 20 V', { attributes: { voltage: 20, power_source: 'battery', color: 'blue' }, condition: 'used_good' })
const saw = await sell('gb', 'Petrol saw', { categoryId: 12, attributes: { bar_cm: 40, width_cm: 18 } })
const battery = await sell('gb', 'Battery 18 V', { categoryId: 2257, attributes: { voltage: 18 } })
const shell = await sell('de', 'Bohrmaschine Netz', { attributes: { power_source: 'mains', color: 'red' } })
const akku = await sell('de', 'Bohrmaschine Akku', { attributes: { power_source: 'battery', color: 'blue' } })

const handsaw = await sell('de', 'Handsäge', { categoryId: 12, attributes: { color: 'blue' } })
const frame = await sell('de', 'Bügelsäge', { categoryId: 12, attributes: { color: 'red' } })

const engine = await testEngine()
connectSearch(engine)
await rebuildIndex({ db, engine })
const gateway = await testGateway(database.pool)

interface Found {
  cards: { productId: string }[]
  understood: { kind: string; text: string; name: string | null; value: string | null }[]
  droppedWords: string[]
  facets: { key: string; values: { value: string }[] }[]
}
async function search(market: Market, query: string, more: object = {}): Promise<Found> {
  const document = `query ($input: ListingInput!) { listing(input: $input) {
    cards { productId } understood { kind text name value } droppedWords facets { key values { value } } } }`
  const { body } = await gateway.post(document, { input: { kind: 'search', query, ...more } }, { host: `${market}.localhost` })
  return (body as { data: { listing: Found } }).data.listing
}
const ids = ({ cards }: Found) => cards.map(({ productId }) => productId).toSorted()
const said = ({ understood }: Found) =>
  understood.map(({ kind, text, name, value: of }) => [kind, text, name, of].filter((one) => one !== null).join(' '))

test('V-84 a number with a unit is the value of its attribute, and a filter', async () => {
  const found = await search('gb', 'drill 18v')
  assert.deepEqual([ids(found), said(found)], [[cordless], ['thing drill', 'attribute 18v Voltage 18 V']])
})

test('V-84 inches find what is sold in rounded centimetres', async () => {
  const found = await search('gb', 'saw 16 inch')
  assert.deepEqual([ids(found), said(found)], [[saw], ['thing saw', 'attribute 16 inch Bar 40 cm']])
})

test('V-84 a negated value excludes goods with it: "not cordless", "ohne Kabel"', async () => {
  const found = await search('gb', 'drill not cordless')
  assert.deepEqual([ids(found), said(found)], [[corded], ['thing drill', 'without not cordless Power source cordless']])
  const german = await search('de', 'bohrmaschine ohne kabel')
  assert.deepEqual([ids(german), said(german)], [[akku], ['thing bohrmaschine', 'without ohne kabel Power source mit Netzkabel']])
  assert.deepEqual(ids(await search('de', 'bohrmaschine nicht blau')), [shell])
})

test('V-84 brand and condition of a query are filters', async () => {
  const found = await search('gb', 'brexiro drill')
  assert.deepEqual([ids(found), said(found)], [[corded], ['thing drill', 'brand brexiro Brand Brexiro']])
  const second = await search('gb', 'second hand drill')
  assert.deepEqual([ids(second), said(second)], [[used], ['thing drill', 'condition second hand Condition Used or opened']])
})

test('V-84 a purpose is told and excludes nothing', async () => {
  const found = await search('gb', 'saw for drill')
  assert.deepEqual([ids(found), said(found)], [[saw], ['thing saw', 'purpose for drill']])
  assert.deepEqual(said(await search('gb', 'saw for drill', { literal: ['for drill', 'saw'] })), ['thing drill'])
})

test('V-84 any part can be taken literally instead', async () => {
  const found = await search('gb', 'blue drill 18v', { literal: ['18V', 'drill', 'other'] })
  assert.deepEqual(said(found), ['attribute blue Colour blue'])
  const literally = await search('gb', 'drill not cordless', { literal: ['not cordless'] })
  assert.ok(ids(literally).includes(cordless), 'the words are searched for')
})

test('V-84 what a visitor has chosen replaces what was understood', async () => {
  const found = await search('gb', 'drill 18v', { filters: [{ key: 'voltage', values: ['36'] }] })
  assert.deepEqual(said(found), ['thing drill'])
  assert.ok(!ids(found).includes(battery))
  assert.deepEqual(ids(await search('gb', 'drill', { filters: [{ key: 'voltage', values: ['36'] }] })), [strong])
})

test('V-84 nothing found that way means less understood, not nothing shown', async () => {
  const found = await search('gb', 'red drill 18v')
  assert.deepEqual([ids(found), said(found), found.droppedWords], [[strong], ['thing drill', 'attribute red Colour red'], ['18v']])
  const none = await search('gb', 'refurbished drill')
  assert.deepEqual([ids(none).length, said(none), none.droppedWords], [4, ['thing drill'], ['refurbished']])
})

test('V-84 a query of which nothing is understood costs the engine what it did before', async () => {
  engine.asked.length = 0
  await search('gb', 'saw petrol')
  assert.deepEqual(
    engine.asked.map(({ params }) => params.hitsPerPage),
    [0, 48],
  )
})

test('V-91 words of another language find the goods that they name there, with the other parts of the query', async () => {
  const found = await search('de', 'saws')
  assert.deepEqual([ids(found), said(found)], [[handsaw, frame].toSorted(), ['category saws Kategorie Sägen']])
  assert.deepEqual(ids(await search('de', 'scies')), [handsaw, frame].toSorted(), 'French')
  assert.deepEqual(said(await search('de', 'säge')), ['thing säge'], 'words of its own language are not translated')
  assert.deepEqual((await search('de', 'saws', { literal: ['saws'] })).cards, [], 'nor are those taken literally')
  const measured = await search('de', 'saw 99 V')
  assert.deepEqual([ids(measured), measured.droppedWords], [[handsaw, frame].toSorted(), ['99 V']])
})
