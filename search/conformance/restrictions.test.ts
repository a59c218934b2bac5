import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { algoliasearch } from 'algoliasearch'
import fc from 'fast-check'
import { print, passes } from '../src/testing/model.ts'
import type { Filter } from '../src/query/filter-parser.ts'
import { createWire, securedKey } from '../src/wire/index.ts'
import { brands, colours, documents, type Good } from './shop-data.ts'
import { startUnderTest, type UnderTest } from './under-test.ts'

let under: UnderTest
before(async () => {
  under = await startUnderTest()
})
after(() => under.close())

const client = (key: string) => algoliasearch('purlin', key, { hosts: [{ url: under.host, accept: 'readWrite', protocol: 'http' }] })
const all = documents()
const tarvok = () => client(securedKey('conformance-reader', { filters: 'brand:Tarvok' }))
const own = all.filter(({ brand }) => brand === 'Tarvok')
const ownId = own[0]!.objectID
const foreignId = all.find(({ brand }) => brand !== 'Tarvok')!.objectID
const isOwn = (hits: readonly { objectID: string }[]) => hits.every(({ objectID }) => own.some((good) => good.objectID === objectID))

const forbidden = { status: 403 }
const escapes = ['colour:red) OR (NOT colour:red', ') OR (price > 0', 'price > 0) OR NOT (brand:Tarvok']

for (const filters of escapes)
  test(`V-03 a secured key is not escaped by closing its parenthesis: ${filters}`, async () => {
    const index = { indexName: 'goods', filters, hitsPerPage: 100 }
    await assert.rejects(tarvok().search({ requests: [index] }), { status: 400 })
    await assert.rejects(tarvok().searchSingleIndex({ indexName: 'goods', searchParams: { filters } }), { status: 400 })
    await assert.rejects(tarvok().browse({ indexName: 'goods', browseParams: { filters } }), { status: 400 })
    const facet = {
      indexName: 'goods',
      facetName: 'brand',
      searchForFacetValuesRequest: { params: `filters=${encodeURIComponent(filters)}` },
    }
    await assert.rejects(tarvok().searchForFacetValues(facet), { status: 400 })
  })

test('V-03 a caller’s OR is combined with the key’s filter as a tree', async () => {
  const { hits } = await tarvok().searchSingleIndex<Good>({
    indexName: 'goods',
    searchParams: { filters: 'colour:red OR NOT colour:red', hitsPerPage: 100 },
  })
  assert.equal(hits.length, own.length)
  assert.ok(isOwn(hits))
})

test('V-03 only documents the key may see can be read by id', async () => {
  const key = tarvok()
  assert.equal((await key.getObject({ indexName: 'goods', objectID: ownId })).objectID, ownId)
  await assert.rejects(key.getObject({ indexName: 'goods', objectID: foreignId }), { status: 404 })
  const { results } = await key.getObjects<Good>({
    requests: [ownId, foreignId, 'nowhere'].map((objectID) => ({ indexName: 'goods', objectID })),
  })
  assert.deepEqual(
    results.map((found) => found?.objectID ?? null),
    [ownId, null, null],
  )
})

test('V-03 browsing returns only documents the key may see, and applies the caller’s facet filters', async () => {
  const { hits } = await tarvok().browse<Good>({ indexName: 'goods' })
  assert.deepEqual(hits.map(({ objectID }) => objectID).toSorted(), own.map(({ objectID }) => objectID).toSorted())
  const narrowed = await tarvok().browse<Good>({
    indexName: 'goods',
    browseParams: { facetFilters: ['colour:blue'], numericFilters: ['price>100'] },
  })
  assert.equal(narrowed.hits.length, own.filter(({ colour, price }) => colour === 'blue' && price > 100).length)
})

test('V-03 facets, facet values, sort orders and multi-queries count only documents the key may see', async () => {
  const key = tarvok()
  const { results } = await key.search<Good>({
    requests: [
      { indexName: 'goods', facets: ['brand'], hitsPerPage: 0 },
      { indexName: 'goods_price_asc', hitsPerPage: 100 },
      { indexName: 'goods', type: 'facet', facet: 'brand' },
    ],
  })
  const [counts, ordered, values] = results
  assert.deepEqual(counts && 'facets' in counts && counts.facets, { brand: { Tarvok: own.length } })
  assert.ok(ordered && 'hits' in ordered && ordered.hits.length === own.length && isOwn(ordered.hits))
  assert.deepEqual(values && 'facetHits' in values && values.facetHits, [{ value: 'Tarvok', highlighted: 'Tarvok', count: own.length }])
})

test('V-03 rules add their filters to those of query and key, and promote nothing the key may not see', async () => {
  const admin = client('conformance-admin')
  await admin.saveRule({
    indexName: 'goods',
    objectID: 'wide',
    rule: {
      objectID: 'wide',
      conditions: [{ pattern: 'drill', anchoring: 'is' }],
      consequence: {
        params: { filters: 'price > 0 OR price < 0', facetFilters: 'colour:red,colour:-green' },
        promote: [{ objectID: foreignId, position: 0 }],
      },
    },
  })
  const searchParams = { query: 'drill', facetFilters: 'brand:Tarvok,colour:-blue', hitsPerPage: 100 }
  const { hits } = await tarvok().searchSingleIndex<Good>({ indexName: 'goods', searchParams })
  await admin.clearRules({ indexName: 'goods' })
  assert.equal(hits.length, 2)
  assert.ok(hits.every(({ brand, colour }) => brand === 'Tarvok' && colour === 'red'))
})

test('V-03 a rule with an invalid filter, or with an unknown parameter, is not stored', async () => {
  for (const params of [{ filters: 'price > 0) OR (NOT x' }, { restrictions: ['price > 0'] }]) {
    const rule = { objectID: 'bad', conditions: [], consequence: { params } }
    await assert.rejects(client('conformance-admin').saveRule({ indexName: 'goods', objectID: 'bad', rule }), { status: 400 })
  }
})

test('V-03 a filter by an attribute the index does not declare excludes everything, even under NOT', async () => {
  for (const filters of ['hidden:true', 'NOT hidden:true']) {
    const key = client(securedKey('conformance-reader', { filters }))
    assert.equal((await key.searchSingleIndex({ indexName: 'goods', searchParams: {} })).nbHits, 0)
    await assert.rejects(key.getObject({ indexName: 'goods', objectID: ownId }), { status: 404 })
  }
})

test('V-03 a caller can neither send restrictions nor see those of the key', async () => {
  const sent = { indexName: 'goods', restrictions: [''] }
  await assert.rejects(tarvok().search({ requests: [sent] }), { status: 400 })
  const answer = await client('conformance-red').searchSingleIndex({ indexName: 'goods', searchParams: {} })
  assert.equal(answer.nbHits, 24)
  assert.doesNotMatch(JSON.stringify(answer.params), /red/)
})

test('V-03 corrections of a misspelled word come from documents the key may see', async () => {
  const ask = async (key: string) =>
    (await client(key).searchSingleIndex({ indexName: 'goods', searchParams: { query: 'Tarvko drill' } })) as { didYouMean?: string }
  assert.equal((await ask('conformance-reader')).didYouMean, 'tarvok drill')
  const other = securedKey('conformance-reader', { filters: 'brand:Malkarin' })
  assert.equal((await ask(other)).didYouMean, undefined)
})

const refused: [what: string, key: string][] = [
  ['an unknown restriction', securedKey('conformance-reader', { filters: 'brand:Tarvok', restrictSources: '10.0.0.0/8' })],
  ['a search parameter that is no filter', securedKey('conformance-reader', { hitsPerPage: 5 })],
  ['a misspelled restriction', securedKey('conformance-reader', { filter: 'brand:Tarvok' })],
  ['an expiry that is no number', securedKey('conformance-reader', { validUntil: 'tomorrow' })],
]
for (const [what, key] of refused)
  test(`V-03 a secured key with ${what} is refused`, async () => {
    await assert.rejects(client(key).searchSingleIndex({ indexName: 'goods', searchParams: {} }), forbidden)
  })

test('V-03 an index outside the key’s scope is refused in every call', async () => {
  const key = client(securedKey('conformance-reader', { restrictIndices: 'advice' }))
  const call = { indexName: 'goods', objectID: ownId }
  await assert.rejects(key.searchSingleIndex({ indexName: 'goods' }), forbidden)
  await assert.rejects(key.search({ requests: [{ indexName: 'advice' }, { indexName: 'goods' }] }), forbidden)
  await assert.rejects(key.searchForFacetValues({ indexName: 'goods', facetName: 'brand' }), forbidden)
  await assert.rejects(key.browse({ indexName: 'goods' }), forbidden)
  await assert.rejects(key.getObject(call), forbidden)
  await assert.rejects(key.getObjects({ requests: [call] }), forbidden)
  assert.deepEqual(
    (await key.listIndices()).items.map(({ name }) => name),
    ['advice'],
  )
  await assert.rejects(tarvok().listIndices(), forbidden)
})

test('V-03 events are limited to the key’s indexes and user token', async () => {
  const send = (key: string, index: string, userToken: string) =>
    fetch(`http://${under.host}/1/events`, {
      method: 'POST',
      headers: { 'x-algolia-api-key': key },
      body: JSON.stringify({ events: [{ eventType: 'click', eventName: 'card', index, userToken, objectIDs: [ownId] }] }),
    })
  assert.equal((await send('conformance-red', 'goods', 'anyone')).status, 200)
  assert.equal((await send('conformance-red', 'advice', 'anyone')).status, 403)
  const key = securedKey('conformance-red', { userToken: 'visitor-1' })
  assert.equal((await send(key, 'goods', 'visitor-1')).status, 200)
  assert.equal((await send(key, 'goods', 'visitor-2')).status, 403)
})

test('V-03 a key can send events only about documents it can see, without learning which others exist', async () => {
  const send = (objectIDs: string[]) =>
    fetch(`http://${under.host}/1/events`, {
      method: 'POST',
      headers: { 'x-algolia-api-key': securedKey('conformance-search', { filters: 'brand:Tarvok' }) },
      body: JSON.stringify({ events: [{ eventType: 'click', eventName: 'card', index: 'goods', userToken: 'visitor', objectIDs }] }),
    }).then(async (response) => [response.status, await response.text()])
  const before = under.events.length
  const answer = await send([foreignId, ownId, 'nowhere'])
  assert.deepEqual(
    under.events.slice(before).map(({ objectIDs }) => objectIDs),
    [[ownId]],
  )
  assert.deepEqual(await send([foreignId]), answer)
  assert.equal(under.events.length, before + 1)
})

test('V-03 a configured write key cannot have filters', () => {
  const key = { key: 'k', rights: ['search', 'write'] as const, filters: 'colour:red' }
  assert.throws(() => createWire({ engine: under.engine, keys: [key] }), /neither write/)
})

const leaf: fc.Arbitrary<Filter> = fc.oneof(
  fc.constantFrom(...brands).map((value): Filter => ({ kind: 'value', attribute: 'brand', value, score: 1 })),
  fc.constantFrom(...colours).map((value): Filter => ({ kind: 'value', attribute: 'colour', value, score: 1 })),
  fc
    .record({ operator: fc.constantFrom('<', '>=', '!=', '='), number: fc.integer({ min: 15, max: 300 }) })
    .map((of): Filter => ({ kind: 'compare', attribute: 'price', ...of })),
)
const tree: fc.Arbitrary<Filter> = fc.letrec<{ tree: Filter }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    leaf,
    tie('tree').map((of): Filter => ({ kind: 'not', of })),
    fc
      .record({ kind: fc.constantFrom('and', 'or'), of: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) })
      .map((of): Filter => of as Filter),
  ),
})).tree
/** Valid filter texts, and texts composed of their pieces. */
const pieces = fc.constantFrom(
  '(',
  ')',
  ' OR ',
  ' AND ',
  ' NOT ',
  'brand:Tarvok',
  'price > 0',
  'colour:red',
  '"',
  "'",
  '<score=2>',
  ',',
  '[',
  ']',
)
const asked = fc.oneof(
  tree.map(print),
  fc.array(pieces, { maxLength: 9 }).map((list) => list.join('')),
  fc.tuple(tree, fc.option(pieces, { nil: '' }), tree).map(([before, piece, behind]) => `${print(before)}) OR (${piece}${print(behind)}`),
)

test('V-03 for any query, a secured key returns a subset of what it allows', async () => {
  await fc.assert(
    fc.asyncProperty(tree, asked, asked, fc.boolean(), async (allowed, filters, facetFilters, isNested) => {
      const key = client(securedKey('conformance-reader', { filters: print(allowed) }))
      const visible = new Set(all.filter((good) => passes(allowed, good)).map(({ objectID }) => objectID))
      const params = { filters, facetFilters: isNested ? [[facetFilters]] : facetFilters, hitsPerPage: 100 }
      const reads = [
        () => key.searchSingleIndex({ indexName: 'goods', searchParams: params }),
        () => key.browse({ indexName: 'goods', browseParams: params }),
        () => key.searchSingleIndex({ indexName: 'goods', searchParams: { hitsPerPage: 100 } }),
      ]
      const shown = await Promise.all(reads.map((read) => read().then(({ hits }) => hits, refusal)))
      for (const hits of shown) assert.ok(hits.every(({ objectID }) => visible.has(objectID)))
      assert.equal(shown[2]!.length, visible.size)
      const { results } = await key.getObjects<Good>({ requests: all.map(({ objectID }) => ({ indexName: 'goods', objectID })) })
      assert.equal(results.filter((one) => one !== null).length, visible.size)
    }),
    { numRuns: 60 },
  )
})

/** Filters that cannot be parsed are refused; any other outcome fails the test. */
function refusal(error: unknown): { objectID: string }[] {
  if (error instanceof Error && 'status' in error && error.status === 400) return []
  throw error
}
