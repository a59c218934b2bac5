import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery } from '@purlin/web/query.ts'
import fc from 'fast-check'
import {
  addressOf,
  tidiedAddress,
  countOf,
  inputOf,
  readChoice,
  withLiteral,
  withoutFilters,
  withoutLiteral,
  withoutRange,
  withoutValue,
  withPage,
  type ListingChoice,
} from './listing-address.ts'

const nothing: ListingChoice = { filters: {}, ranges: {}, sort: null, page: 1, size: null, literal: [] }
const read = (search: string) => readChoice(parseQuery(search))

test('R-071 the selection is written to the address and read back from it', () => {
  const cases: [string, Partial<ListingChoice>][] = [
    ['', {}],
    ['?f[brand]=12', { filters: { brand: ['12'] } }],
    ['?f%5Bbrand%5D=12&f%5Bbrand%5D=7&f[voltage]=18', { filters: { brand: ['12', '7'], voltage: ['18'] } }],
    ['?min[price]=10&max[price]=', { ranges: { price: { min: '10', max: '' } } }],
    ['?min[price]=9,5&max[price]=20', { ranges: { price: { min: '9.5', max: '20' } } }],
    ['?min[price]=-1&max[price]=1e9', {}],
    ['?sort=price_asc&page=3&size=72', { sort: 'price_asc', page: 3, size: 72 }],
    ['?page=0&size=-5', {}],
    ['?page=x&f=brand&min=3', {}],
    ['?f[brand][]=', {}],
    ['?literal=18V%7Cnot%20%20cordless%7C18v%7C', { literal: ['18v', 'not cordless'] }],
    ['?f[brand]=1&f[brand]=1', { filters: { brand: ['1'] } }],
  ]
  for (const [search, expected] of cases) assert.deepEqual(read(search), { ...nothing, ...expected }, search)
})

test('the same selection has one address, whatever order it was made in', () => {
  const one = addressOf('/drills-4', read('?f[b]=2&f[b]=1&f[a]=x&page=1&sort=rating'))
  const other = addressOf('/drills-4', read('?sort=rating&f[a]=x&f[b]=1&f[b]=2'))
  assert.equal(one, other)
  assert.equal(addressOf('/drills-4', nothing), '/drills-4')
})

test('every selection survives a round trip through its address', () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9 &=+%äé-]{0,8}$/)
  const key = fc.stringMatching(/^[a-z_]{1,10}$/).filter((name) => name !== '__proto__')
  const figure = fc.integer({ min: 0, max: 99_999 }).map(String)
  const choice = fc.record({
    filters: fc.dictionary(key, fc.uniqueArray(word, { minLength: 1, maxLength: 5 }), { maxKeys: 4, noNullPrototype: true }),
    ranges: fc.dictionary(key, fc.record({ min: figure, max: fc.oneof(figure, fc.constant('')) }), { maxKeys: 3, noNullPrototype: true }),
    sort: fc.option(fc.constantFrom('price_asc', 'rating')),
    page: fc.integer({ min: 1, max: 900 }),
    size: fc.option(fc.constantFrom(24, 72)),
    literal: fc.uniqueArray(
      word.map((text) => text.replace(/\s+/g, ' ').trim()),
      { maxLength: 4 },
    ),
  })
  fc.assert(
    fc.property(choice, (given) => {
      const address = addressOf('/x-1', given)
      const back = read(address.slice('/x-1'.length))
      assert.equal(addressOf('/x-1', back), address)
      assert.equal(countOf(back), countOf(given))
    }),
  )
})

test('removing a filter returns to page one and keeps the rest', () => {
  const choice = read('?f[brand]=1&f[brand]=2&f[voltage]=18&min[price]=5&page=4&sort=rating')
  assert.deepEqual(withoutValue(choice, 'brand', '1').filters, { brand: ['2'], voltage: ['18'] })
  assert.deepEqual(withoutValue(choice, 'voltage', '18').filters, { brand: ['1', '2'] })
  assert.equal(withoutValue(choice, 'brand', '1').page, 1)
  assert.deepEqual(withoutRange(choice, 'price').ranges, {})
  assert.deepEqual(withoutFilters(choice), { ...nothing, sort: 'rating' })
  assert.equal(withPage(choice, 2).page, 2)
  assert.equal(countOf(choice), 4)
})

test('empty fields redirect to the plain address, and a plain address does not redirect', () => {
  const cases: [string, string | null][] = [
    ['?min[price]=5&max[price]=&f[brand]=2', '/x-1?f%5Bbrand%5D=2&min%5Bprice%5D=5'],
    ['?min[price]=&max[price]=', '/x-1'],
    ['?sort=&size=24', '/x-1?size=24'],
    ['?f[brand]=2&page=3', null],
    ['', null],
  ]
  for (const [search, expected] of cases) assert.equal(tidiedAddress('/x-1', parseQuery(search)), expected, search)
})

test('the query to the gateway follows from the address', () => {
  assert.deepEqual(inputOf({ kind: 'category', id: 4 }, read('?f[brand]=1&max[price]=20&page=2')), {
    kind: 'category',
    id: 4,
    filters: [{ key: 'brand', values: ['1'] }],
    ranges: [{ key: 'price', min: null, max: 20 }],
    sort: null,
    page: 2,
    pageSize: null,
  })
})

test('V-38 an address with more values than the shop applies shows and sends as many as apply', () => {
  const values = Array.from({ length: 60 }, (_, n) => `brand-${n}`)
  const { filters } = readChoice({ f: { brand: values } })
  assert.deepEqual(filters['brand'], values.slice(0, 50))
})

test('V-84 a part taken literally is in the address, once, and filters keep it', () => {
  const choice = withLiteral(withLiteral(read('?f[brand]=1&page=3'), 'Not cordless'), '18V')
  assert.equal(addressOf('/search/x', choice), '/search/x?f%5Bbrand%5D=1&literal=18v%7Cnot+cordless')
  assert.equal(addressOf('/search/x', withLiteral(choice, '18v')), addressOf('/search/x', choice))
  assert.deepEqual(withoutFilters(choice).literal, ['18v', 'not cordless'])
  assert.deepEqual(withoutLiteral(choice, '18v').literal, ['not cordless'])
  assert.deepEqual(inputOf({ kind: 'search', query: 'x' }, choice).literal, ['18v', 'not cordless'])
  assert.equal('literal' in inputOf({ kind: 'category', id: 1 }, read('')), false)
})
