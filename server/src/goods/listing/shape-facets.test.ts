import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SearchResponse } from '@purlin/search/types.ts'
import { marketCodes } from '@purlin/contract/markets.ts'
import { testDatabase } from '#platform/testing'
import { reference } from '#catalogue'
import { priceDisplay } from '#pricing'
import { attributeFacet, commonFacets, priceAttribute } from './facet-plan.ts'
import { normalizeListing, type ListingInput } from './listing-input.ts'
import { clausesOf, queryParams, scopeFilters, sortedIndex } from './listing-queries.ts'
import { shapeFacet, type Facet } from './shape-facets.ts'
import { testReference } from './test-shop.ts'
import { facetLabel, sortKeys, sortLabel } from './words.ts'

const { db } = await testDatabase({ upTo: 'pricing' })
await testReference(db)
const catalogue = await reference({ db })
const display = priceDisplay({ market: 'gb', mode: 'b2c', prefersVat: false })
const common = new Map(commonFacets('gb', display).map((field) => [field.key, field]))
const voltage = attributeFacet(catalogue, 'en', 'voltage')!
const color = attributeFacet(catalogue, 'en', 'color')!
const answer = (facets: Record<string, Record<string, number>>, stats?: SearchResponse['facets_stats']) =>
  ({ facets, ...(stats && { facets_stats: stats }) }) as unknown as SearchResponse
const shape = (key: string, given: SearchResponse, input: Partial<ListingInput> = {}): Facet | null => {
  const field = { voltage, color }[key] ?? common.get(key)!
  return shapeFacet(field, given, { market: 'gb', catalogue, request: normalizeListing({ kind: 'category', id: 1, ...input }) })
}
const brief = (facet: Facet | null) => facet?.values.map(({ value, label, count, selected }) => [value, label, count, selected ? 'x' : ''])

test('values are sorted by count, measurements by number', () => {
  assert.deepEqual(brief(shape('color', answer({ 'attr.color': { red: 3, blue: 7 } }))), [
    ['blue', 'blue', 7, ''],
    ['red', 'red', 3, ''],
  ])
  assert.deepEqual(brief(shape('voltage', answer({ 'attr.voltage': { 18: 1, 12: 9, 230: 4 } }))), [
    ['12', '12 V', 9, ''],
    ['18', '18 V', 1, ''],
    ['230', '230 V', 4, ''],
  ])
})

test('a single value is not offered unless selected; a selected value stays even without hits', () => {
  assert.equal(shape('color', answer({ 'attr.color': { red: 3 } })), null)
  assert.equal(shape('color', answer({})), null)
  const chosen = { filters: [{ key: 'color', values: ['blue'] }] }
  assert.deepEqual(brief(shape('color', answer({ 'attr.color': { red: 3 } }), chosen)), [
    ['red', 'red', 3, ''],
    ['blue', 'blue', 0, 'x'],
  ])
  assert.deepEqual(brief(shape('brand', answer({ brandName: { Tarvok: 2 } }), { filters: [{ key: 'brand', values: ['Tarvok'] }] })), [
    ['Tarvok', 'Tarvok', 2, 'x'],
  ])
})

test('a measurement with many values, or one requested as a range, is a range; with selected values it lists them', () => {
  const many = answer(
    { 'attr.voltage': Object.fromEntries(Array.from({ length: 16 }, (_, at) => [String(at), 1])) },
    {
      'attr.voltage': { min: 0, max: 15, avg: 7, sum: 120 },
    },
  )
  const range = shape('voltage', many)
  assert.deepEqual([range?.kind, range?.min, range?.max, range?.unit, range?.values], ['range', 0, 15, 'V', []])
  const few = answer({ 'attr.voltage': { 12: 1, 18: 2 } }, { 'attr.voltage': { min: 12, max: 18 } } as never)
  assert.equal(shape('voltage', few)?.kind, 'values')
  assert.equal(shape('voltage', few, { ranges: [{ key: 'voltage', min: 13 }] })?.kind, 'range')
  assert.equal(shape('voltage', many, { filters: [{ key: 'voltage', values: ['3'] }] })?.values.length, 16)
})

test('prices are a range; a single price is not offered unless it remains after a range', () => {
  const one = answer({}, { price_b2c: { min: 60, max: 60 } } as never)
  assert.equal(shape('price', one), null)
  assert.equal(shape('price', one, { ranges: [{ key: 'price', max: 100 }] })?.kind, 'range')
  assert.equal(shape('price', answer({})), null)
})

test('a boolean facet offers only yes', () => {
  assert.deepEqual(brief(shape('stock', answer({ inStock: { true: 5, false: 9 } }))), [['true', 'In stock', 5, '']])
  assert.equal(shape('eco', answer({ isEcoResponsible: { false: 9 } })), null)
})

test('star ratings count upwards, and the selected one stays', () => {
  assert.deepEqual(brief(shape('rating', answer({ starsUp: { 4: 3, 3: 7, 2: 7 } }))), [
    ['4', '4 stars and up', 3, ''],
    ['3', '3 stars and up', 7, ''],
    ['2', '2 stars and up', 7, ''],
  ])
  const chosen = { filters: [{ key: 'rating', values: ['4'] }] }
  assert.deepEqual(brief(shape('rating', answer({ starsUp: {} }), chosen)), [['4', '4 stars and up', 0, 'x']])
})

test('categories go one level down, on other pages to the departments, and further down from the selected one', () => {
  const counts = answer({ categoryIds: { 1: 9, 11: 4, 12: 5, 2: 3, 2257: 3, 777: 1 } })
  assert.deepEqual(brief(shape('category', counts)), [
    ['11', 'Drills', 4, ''],
    ['12', 'Saws', 5, ''],
  ])
  assert.deepEqual(brief(shape('category', counts, { kind: 'search', id: null, query: 'x' })), [
    ['1', 'Tools', 9, ''],
    ['2', 'Energy', 3, ''],
  ])
  const chosen = shape('category', counts, { kind: 'search', id: null, query: 'x', filters: [{ key: 'category', values: ['2', '999'] }] })
  assert.deepEqual(brief(chosen), [
    ['1', 'Tools', 9, ''],
    ['2', 'Energy', 3, 'x'],
    ['2257', 'Solar', 3, ''],
  ])
})

test('of many values sixty are shown, plus the selected ones', () => {
  const many = answer({ brandName: Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`Brand ${at}`, 100 - at])) })
  assert.equal(shape('brand', many)?.values.length, 60)
  const chosen = shape('brand', many, { filters: [{ key: 'brand', values: ['Brand 80'] }] })
  assert.deepEqual([chosen?.values.length, chosen?.values.at(-1)?.value], [61, 'Brand 80'])
})

test('every common facet and sort has a name in the five languages; "local" is a facet in France alone', () => {
  for (const market of marketCodes) {
    const fields = commonFacets(market, display)
    assert.equal(new Set(fields.map(({ label }) => label)).size, fields.length)
    assert.equal(
      fields.some(({ key }) => key === 'local'),
      market === 'fr',
    )
    assert.equal(new Set(sortKeys.map((key) => sortLabel(market, key))).size, sortKeys.length)
  }
  assert.equal(facetLabel('de', 'price'), 'Preis')
})

test('R-364 a listing filters and sorts by its viewer’s price', () => {
  const attributeFor = (mode: 'b2c' | 'b2b', prefersVat = false) => priceAttribute(priceDisplay({ market: 'de', mode, prefersVat }))
  assert.deepEqual([attributeFor('b2c'), attributeFor('b2b'), attributeFor('b2b', true)], ['price_b2c', 'price_b2b', 'price_b2b_vat'])
  assert.equal(sortedIndex('products_de', 'price_asc', 'price_b2b'), 'products_de_price_asc_b2b')
  assert.equal(sortedIndex('products_de', 'rating', 'price_b2b'), 'products_de_rating')
  assert.equal(sortedIndex('products_de', 'relevance', 'price_b2b'), 'products_de')
})

test('filters and ranges become clauses of the engine; unknown keys, and ranges of text values, are left out', () => {
  const fields = new Map([...common, ['voltage', voltage], ['color', color]])
  const request = normalizeListing({
    kind: 'category',
    id: 1,
    filters: [
      { key: 'color', values: ['red', '-odd'] },
      { key: 'rating', values: ['4', '3'] },
      { key: 'rating-of-something', values: ['4'] },
      { key: 'price', values: ['10'] },
    ],
    ranges: [
      { key: 'voltage', min: 10, max: 20 },
      { key: 'price', min: null, max: 99.5 },
      { key: 'color', min: 1 },
    ],
  })
  const clauses = clausesOf(request, fields)
  assert.deepEqual(clauses, [
    { key: 'color', facetFilter: ['attr.color:\\-odd', 'attr.color:red'] },
    { key: 'rating', numericFilters: ['rating >= 3'] },
    { key: 'price', numericFilters: ['price_b2c <= 99.5'] },
    { key: 'voltage', numericFilters: ['attr.voltage >= 10', 'attr.voltage <= 20'] },
  ])
  const all = queryParams(request, [['storefronts:b2c']], clauses, { hitsPerPage: 5 })
  assert.deepEqual([all.facetFilters?.length, all.numericFilters?.length, all.hitsPerPage], [2, 4, 5])
  const others = queryParams(request, [], clauses, {}, 'voltage')
  assert.deepEqual(others.numericFilters, ['rating >= 3', 'price_b2c <= 99.5'])
})

test('each kind of page lists its own products, on its own storefront', () => {
  const about = (input: Partial<ListingInput>) => scopeFilters(normalizeListing({ kind: 'category', ...input }), 'b2b')
  assert.deepEqual(about({ kind: 'category', id: 11 }), [['storefronts:b2b'], ['categoryIds:11']])
  assert.deepEqual(about({ kind: 'operation', id: 70 }), [['storefronts:b2b'], ['commercialOperationIds:70']])
  assert.deepEqual(about({ kind: 'deals' }), [['storefronts:b2b'], ['dealOn:b2b']])
  assert.deepEqual(about({ kind: 'search', query: 'x' }), [['storefronts:b2b']])
  assert.equal(about({ kind: 'brand', id: null }), null)
})
