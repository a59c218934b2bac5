import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Mode } from '@purlin/contract/markets.ts'
import { boundedCache } from '#platform'
import type { Category, Reference } from '#catalogue'
import { worthwhileAttributes } from './facet-plan.ts'
import { predictCategories, redirectOf } from './list-products.ts'
import { raiseWithinPage, valueFilter } from './listing-queries.ts'
import { normalizeListing, pageSizeMax, pageSizes, pageSizesOf, type ListingInput } from './listing-input.ts'

const base = { kind: 'category', id: 1 } as const

test('the same choices in another order normalise to the same request', () => {
  const one = normalizeListing({
    ...base,
    filters: [
      { key: 'brand', values: ['B', 'A'] },
      { key: 'color', values: ['red'] },
    ],
  })
  const other = normalizeListing({
    ...base,
    filters: [
      { key: 'color', values: ['red', 'red'] },
      { key: 'brand', values: ['A'] },
      { key: 'brand', values: ['B'] },
    ],
  })
  assert.deepEqual(one, other)
})

test('the published API documents the page sizes', () => {
  const published = readFileSync(new URL('../../../../contract/graphql/listing.graphql', import.meta.url), 'utf8')
  const [usual, few, ...others] = pageSizes
  const more = `${others.slice(0, -1).join(', ')} and ${others.at(-1)} are offered, at most ${pageSizeMax}.`
  const told = `"${usual} by default, ${few} for sellers and deals; ${more}"`
  assert.ok(published.includes(told), told)
})

test('R-714 each kind of page has its default size, listed first', () => {
  const usual = { category: 48, search: 48, brand: 48, operation: 48, seller: 24, deals: 24 }
  for (const [kind, size] of Object.entries(usual) as [ListingInput['kind'], number][]) {
    assert.equal(normalizeListing({ kind, id: 1 }).pageSize, size)
    assert.equal(pageSizesOf(kind)[0], size)
    assert.deepEqual(pageSizesOf(kind).toSorted(), pageSizes.toSorted())
  }
})

test('a query is truncated and its whitespace collapsed', () => {
  assert.equal(normalizeListing({ kind: 'search', query: '  vis   4x40\t inox ' }).query, 'vis 4x40 inox')
  assert.equal(normalizeListing({ kind: 'search', query: 'x'.repeat(5_000) }).query.length, 200)
})

test('R-657 R-658 any page size from 1 to 500 is accepted, any other becomes the default', () => {
  const size = (pageSize: number | null): number => normalizeListing({ ...base, pageSize }).pageSize
  for (const offered of pageSizes) assert.equal(size(offered), offered)
  assert.deepEqual([size(1), size(499), size(501), size(0), size(2.5), size(null)], [1, 499, pageSizeMax, 48, 48, 48])
})

test('normalisation is idempotent for any input', () => {
  const any = fc.record({
    kind: fc.constant('search' as const),
    query: fc.string(),
    filters: fc.array(fc.record({ key: fc.string(), values: fc.array(fc.string()) })),
    ranges: fc.array(fc.record({ key: fc.string(), min: fc.option(fc.double()), max: fc.option(fc.double()) })),
    sort: fc.string(),
    page: fc.integer(),
    pageSize: fc.integer(),
    modelId: fc.string(),
  }) as fc.Arbitrary<ListingInput>
  fc.assert(fc.property(any, (input) => assert.deepEqual(normalizeListing(normalizeListing(input)), normalizeListing(input))))
})

const node = (id: number, path: number[]): Category => ({ id, path, level: path.length - 1 }) as unknown as Category
const tree = [node(1, [1]), node(11, [1, 11]), node(12, [1, 12]), node(2, [2]), node(21, [2, 21])]
const catalogue = { categories: { byId: new Map(tree.map((one) => [one.id, one])) } } as unknown as Pick<Reference, 'categories'>
const hitsIn = (...paths: number[][]) => paths.map((categoryIds) => ({ categoryIds }))
const times = (count: number, path: number[]): number[][] => Array.from({ length: count }, () => path)

test('a query’s categories are the deepest ones that hold a fifth of its best hits', () => {
  const predicted = (...paths: number[][]): number[] => predictCategories(hitsIn(...paths), catalogue).map(({ id }) => id)
  assert.deepEqual(predicted(...times(8, [1, 11]), [1, 12], [2, 21]), [11])
  assert.deepEqual(predicted(...times(3, [1, 11]), ...times(3, [1, 12]), ...times(4, [2, 21])), [21, 11, 12])
  assert.deepEqual(predicted(...times(24, [2, 21]), ...times(400, [1, 11])), [21])
  assert.deepEqual(predicted(), [])
})

test('a department whose products are spread out is returned itself', () => {
  const wide = [node(1, [1]), ...Array.from({ length: 10 }, (_, at) => node(100 + at, [1, 100 + at]))]
  const spread = { categories: { byId: new Map(wide.map((one) => [one.id, one])) } } as unknown as Pick<Reference, 'categories'>
  assert.deepEqual(
    predictCategories(hitsIn(...wide.slice(1).map(({ path }) => path)), spread).map(({ id }) => id),
    [1],
  )
})

test('R-659 R-660 R-661 in a search boosted cards climb a few places, in the order of the boosts, and nothing is lost', () => {
  const plain = Array.from({ length: 40 }, (_, at) => ({
    at,
    modelId: null as string | null,
    podiumOn: [] as Mode[],
    sponsoredOn: [] as Mode[],
  }))
  const hits = plain.map((hit) => ({
    ...hit,
    ...(hit.at === 30 && { modelId: '5' }),
    ...(hit.at === 31 && { podiumOn: ['b2c' as const] }),
    ...(hit.at === 32 && { sponsoredOn: ['b2c' as const] }),
  }))
  const request = normalizeListing({ kind: 'search', query: 'drill', modelId: '5' })
  const raised = raiseWithinPage(hits, request, 'b2c').map(({ at }) => at)
  assert.deepEqual([raised.indexOf(30), raised.indexOf(31), raised.indexOf(32)], [11, 18, 27])
  assert.deepEqual(
    raised.toSorted((a, b) => a - b),
    hits.map(({ at }) => at),
  )
  const sorted = normalizeListing({ kind: 'search', query: 'drill', modelId: '5', sort: 'rating' })
  assert.deepEqual(raiseWithinPage(hits, sorted, 'b2c'), hits)
  assert.equal(
    raiseWithinPage(hits, request, 'b2b').findIndex(({ at }) => at === 31),
    31,
  )
})

test('V-82 a boosted card passes those that fit about as well, and none that fit better', () => {
  const fits = [10, 9.8, 9.7, 9.6, 7, 7, 6.9]
  const hits = fits.map((score, at) => ({
    at,
    modelId: null,
    podiumOn: [] as Mode[],
    sponsoredOn: at === 3 || at === 6 ? ['b2c' as const] : ([] as Mode[]),
    _rankingInfo: { promoted: false, score },
  }))
  const request = normalizeListing({ kind: 'search', query: 'drill' })
  assert.deepEqual(
    raiseWithinPage(hits, request, 'b2c').map(({ at }) => at),
    [3, 0, 1, 2, 6, 4, 5],
  )
})

test('boosted cards climb around those pinned by a rule, and none is lost', () => {
  const card = fc.record({
    modelId: fc.constantFrom(null, '5'),
    podiumOn: fc.constantFrom<Mode[]>([], ['b2c']),
    sponsoredOn: fc.constantFrom<Mode[]>([], ['b2c']),
    _rankingInfo: fc.record({ promoted: fc.boolean() }),
  })
  const request = normalizeListing({ kind: 'search', query: 'drill', modelId: '5' })
  fc.assert(
    fc.property(fc.array(card, { maxLength: 48 }), (hits) => {
      const raised = raiseWithinPage(hits, request, 'b2c')
      assert.deepEqual(new Set(raised), new Set(hits))
      for (const [at, hit] of hits.entries()) if (hit._rankingInfo.promoted) assert.equal(raised[at], hit)
      const plain = (list: typeof hits) =>
        list.filter((hit) => !hit._rankingInfo.promoted && hit.modelId === null && hit.podiumOn.length + hit.sponsoredOn.length === 0)
      assert.deepEqual(plain(raised), plain(hits), 'cards that are not raised keep their order')
    }),
  )
})

test('a value that begins with a minus is a value, not a negation', () => {
  assert.deepEqual([valueFilter('attr.temperature', -5), valueFilter('brandName', 'Tarvok')], ['attr.temperature:\\-5', 'brandName:Tarvok'])
})

test('a redirect rule leads only to addresses of this shop', () => {
  const to = (redirect: unknown): string | null => redirectOf({ userData: [null, 'x', { redirect }] })
  assert.equal(to('/great-deals'), '/great-deals')
  for (const evil of ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', '', 7, null])
    assert.equal(to(evil), null)
  assert.equal(redirectOf({}), null)
})

test('an attribute becomes a facet when enough products have it; reserved keys never do', () => {
  const answer = { nbHits: 100, facets: { attrKeys: { voltage: 90, color: 12, odd: 11, brand: 100 } } }
  assert.deepEqual(worthwhileAttributes(answer, new Set(['brand'])), ['voltage', 'color'])
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`a${at}`, 100 - at]))
  assert.equal(worthwhileAttributes({ nbHits: 100, facets: { attrKeys: many } }, new Set()).length, 12)
})

test('a bounded cache evicts the least recently used value', () => {
  const cache = boundedCache<number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c'), cache.size], [1, undefined, 3, 2])
})
