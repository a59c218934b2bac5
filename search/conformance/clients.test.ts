import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { algoliasearch } from 'algoliasearch'
import { liteClient } from 'algoliasearch/lite'
import { securedKey } from '../src/wire/index.ts'
import { brands, documents, type Good } from './shop-data.ts'
import { startUnderTest, type UnderTest } from './under-test.ts'

let under: UnderTest
before(async () => {
  under = await startUnderTest()
})
after(() => under.close())

const hosts = () => [{ url: under.host, accept: 'readWrite' as const, protocol: 'http' as const }]
const admin = () => algoliasearch('purlin', 'conformance-admin', { hosts: hosts() })
const lite = (key = 'conformance-search') => liteClient('purlin', key, { hosts: hosts() })
const all = documents()
const count = (test: (good: Good) => boolean) => all.filter(test).length

test('R-544 R-545 the unmodified client searches through the proxy path', async () => {
  const answer = await admin().searchSingleIndex<Good>({ indexName: 'goods', searchParams: { query: 'lawn mower' } })
  assert.equal(answer.nbHits, 12)
  assert.ok(answer.hits.every((hit) => hit.title.startsWith('Lawn mower')))
})

test('an empty query matches everything, most popular first', async () => {
  const answer = await admin().searchSingleIndex<Good>({ indexName: 'goods', searchParams: { query: '', hitsPerPage: 72 } })
  assert.equal(answer.nbHits, 72)
  const popularity = answer.hits.map((hit) => hit.popularity)
  assert.deepEqual(
    popularity,
    popularity.toSorted((a, b) => b - a),
  )
})

test('several queries are answered in order', async () => {
  const { results } = await lite().search<Good>({
    requests: [
      { indexName: 'goods', query: 'hose', hitsPerPage: 2 },
      { indexName: 'advice', query: 'drill' },
      { indexName: 'goods', query: '', hitsPerPage: 0 },
    ],
  })
  const counts = results.map((result) => ('nbHits' in result ? result.nbHits : -1))
  assert.deepEqual(counts, [12, 1, 72])
  assert.equal('hits' in results[2]! && results[2].hits.length, 0)
})

test('facets are counted under filters, and given as a string or a list', async () => {
  const filters = 'price > 20 AND price < 150 AND NOT colour:red'
  const expected = Object.fromEntries(
    brands.map((brand) => [brand, count((good) => good.brand === brand && good.price > 20 && good.price < 150 && good.colour !== 'red')]),
  )
  for (const facets of [['brand'], 'brand']) {
    const answer = await admin().searchSingleIndex({ indexName: 'goods', searchParams: { filters, facets } as { facets: string[] } })
    assert.deepEqual(answer.facets?.brand, expected)
  }
})

test('facet filters are an AND of ORs, a minus negates', async () => {
  const facetFilters = [['brand:Tarvok', 'brand:Brexiro'], 'colour:-red']
  const answer = await admin().searchSingleIndex({ indexName: 'goods', searchParams: { facetFilters } })
  assert.equal(
    answer.nbHits,
    count((good) => ['Tarvok', 'Brexiro'].includes(good.brand) && good.colour !== 'red'),
  )
})

test('numeric filters and the statistics of a numeric facet agree with the documents', async () => {
  const answer = await admin().searchSingleIndex({
    indexName: 'goods',
    searchParams: { numericFilters: ['price>=100', 'price<=200'], facets: ['price'] },
  })
  const prices = all.map((good) => good.price).filter((price) => price >= 100 && price <= 200)
  assert.equal(answer.nbHits, prices.length)
  assert.equal(answer.facets_stats?.price?.min, Math.min(...prices))
  assert.equal(answer.facets_stats?.price?.max, Math.max(...prices))
})

test('facet values can be searched', async () => {
  const answer = await admin().searchForFacetValues({
    indexName: 'goods',
    facetName: 'brand',
    searchForFacetValuesRequest: { facetQuery: 'tar' },
  })
  assert.deepEqual(
    answer.facetHits.map(({ value, count: found }) => ({ value, found })),
    [{ value: 'Tarvok', found: 18 }],
  )
  assert.match(answer.facetHits[0]!.highlighted, /<em>Tar<\/em>vok/)
})

test('a sort replica sorts by price, whatever the query', async () => {
  const answer = await admin().searchSingleIndex<Good>({ indexName: 'goods_price_asc', searchParams: { query: 'drill', hitsPerPage: 50 } })
  const prices = answer.hits.map((hit) => hit.price)
  assert.deepEqual(
    prices,
    prices.toSorted((a, b) => a - b),
  )
  assert.equal(answer.nbHits, 24)
})

test('distinct gives one hit per model', async () => {
  const answer = await admin().searchSingleIndex<Good>({
    indexName: 'goods',
    searchParams: { query: 'drill', distinct: true, hitsPerPage: 50 },
  })
  assert.equal(answer.hits.length, 8)
  assert.equal(new Set(answer.hits.map((hit) => hit.modelId)).size, 8)
})

test('matches are highlighted, and a typo is tolerated', async () => {
  const answer = await admin().searchSingleIndex<Good>({ indexName: 'goods', searchParams: { query: 'circlar saw' } })
  assert.equal(answer.nbHits, 12)
  const title = answer.hits[0]!._highlightResult?.title as { value: string; matchLevel: string }
  assert.match(title.value, /<em>Circular<\/em> <em>saw<\/em>/)
  assert.equal(title.matchLevel, 'full')
})

test('a part number is found exactly, however it is spaced', async () => {
  for (const query of ['REF-012-X', 'ref 012 x', 'REF012X']) {
    const answer = await admin().searchSingleIndex<Good>({ indexName: 'goods', searchParams: { query } })
    assert.equal(answer.hits[0]?.reference, 'REF-012-X', query)
  }
})

test('optional filters boost and never exclude', async () => {
  const answer = await admin().searchSingleIndex<Good>({
    indexName: 'goods',
    searchParams: { query: '', optionalFilters: ['brand:Malkarin<score=75>'], hitsPerPage: 72 },
  })
  assert.equal(answer.nbHits, 72)
  assert.ok(answer.hits.slice(0, 18).every((hit) => hit.brand === 'Malkarin'))
})

test('paging by page covers every hit once', async () => {
  const seen: string[] = []
  for (let page = 0; page < 8; page++) {
    const answer = await admin().searchSingleIndex({ indexName: 'goods', searchParams: { hitsPerPage: 10, page } })
    assert.equal(answer.nbPages, 8)
    seen.push(...answer.hits.map((hit) => hit.objectID))
  }
  assert.equal(new Set(seen).size, 72)
})

test('each response to a query with click analytics has an id for later events, which are accepted', async () => {
  const answer = await admin().searchSingleIndex({ indexName: 'goods', searchParams: { query: 'drill', clickAnalytics: true } })
  assert.match(answer.queryID ?? '', /^[0-9a-f]{32}$/)
  const event = {
    eventType: 'click',
    eventName: 'card',
    index: 'goods',
    userToken: 'visitor-1',
    objectIDs: ['0-0-0'],
    positions: [1],
    queryID: answer.queryID,
  }
  const response = await fetch(`http://${under.host}/1/events`, {
    method: 'POST',
    headers: { 'x-algolia-api-key': 'conformance-search', 'content-type': 'text/plain' },
    body: JSON.stringify({ events: [event] }),
  })
  assert.equal(response.status, 200)
  assert.equal(under.events.at(-1)?.queryID, answer.queryID)
})

test('browse iterates over every document', async () => {
  const seen = new Set<string>()
  await admin().browseObjects({
    indexName: 'goods',
    browseParams: { hitsPerPage: 20 },
    aggregator: (page) => page.hits.forEach((hit: { objectID: string }) => seen.add(hit.objectID)),
  })
  assert.equal(seen.size, 72)
})

test('an admin’s writes are visible to the next search', async () => {
  const client = admin()
  const save = await client.saveObject({ indexName: 'scratch', body: { objectID: 's1', title: 'Spirit level' } })
  await client.waitForTask({ indexName: 'scratch', taskID: save.taskID })
  assert.equal((await client.searchSingleIndex({ indexName: 'scratch', searchParams: { query: 'level' } })).nbHits, 1)
  await client.partialUpdateObject({
    indexName: 'scratch',
    objectID: 's1',
    attributesToUpdate: { title: 'Laser level', stock: { _operation: 'Increment', value: 4 } },
  })
  assert.deepEqual(await client.getObject({ indexName: 'scratch', objectID: 's1' }), { objectID: 's1', title: 'Laser level', stock: 4 })
  await client.saveObjects({
    indexName: 'scratch',
    objects: [
      { objectID: 's2', title: 'Plumb line' },
      { objectID: 's3', title: 'Chalk line' },
    ],
  })
  assert.equal((await client.searchSingleIndex({ indexName: 'scratch', searchParams: { query: 'line' } })).nbHits, 2)
  await client.deleteObject({ indexName: 'scratch', objectID: 's1' })
  assert.equal((await client.searchSingleIndex({ indexName: 'scratch', searchParams: { query: 'level' } })).nbHits, 0)
})

test('settings, synonyms and rules can be written and read back, and change the results', async () => {
  const client = admin()
  await client.saveObjects({
    indexName: 'settings-test',
    objects: [
      { objectID: '1', title: 'Cordless screwdriver' },
      { objectID: '2', title: 'Paint brush' },
    ],
  })
  await client.saveSynonyms({
    indexName: 'settings-test',
    synonymHit: [{ objectID: 'syn1', type: 'synonym', synonyms: ['turnscrew', 'screwdriver'] }],
  })
  assert.equal((await client.searchSingleIndex({ indexName: 'settings-test', searchParams: { query: 'turnscrew' } })).nbHits, 1)
  await client.saveRules({
    indexName: 'settings-test',
    rules: [
      {
        objectID: 'r1',
        conditions: [{ pattern: 'decorating', anchoring: 'is' }],
        consequence: { promote: [{ objectID: '2', position: 0 }] },
      },
    ],
  })
  const promoted = await client.searchSingleIndex({ indexName: 'settings-test', searchParams: { query: 'decorating' } })
  assert.equal(promoted.hits[0]?.objectID, '2')
  assert.equal((await client.getRule({ indexName: 'settings-test', objectID: 'r1' })).objectID, 'r1')
  await client.setSettings({ indexName: 'settings-test', indexSettings: { searchableAttributes: ['title'] } })
  assert.deepEqual((await client.getSettings({ indexName: 'settings-test' })).searchableAttributes, ['title'])
})

test('a search key writes nothing, an unknown key reads nothing', async () => {
  await assert.rejects(
    algoliasearch('purlin', 'conformance-search', { hosts: hosts() }).saveObject({ indexName: 'goods', body: { objectID: 'x' } }),
    { status: 403 },
  )
  await assert.rejects(lite('guessed').search({ requests: [{ indexName: 'goods' }] }), { status: 403 })
})

test('a secured key carries filters its holder cannot remove', async () => {
  const key = securedKey('conformance-search', { filters: 'brand:Tarvok' })
  const { results } = await lite(key).search<Good>({
    requests: [{ indexName: 'goods', filters: 'colour:red OR colour:blue', hitsPerPage: 50 }],
  })
  const [first] = results
  assert.ok(first && 'hits' in first)
  assert.equal(first.nbHits, 12)
  assert.ok(first.hits.every((hit: Good) => hit.brand === 'Tarvok'))
})

test('a key generated by the official client is accepted', async () => {
  // Only the client's Node build generates keys; its types are those of the browser build.
  const client = admin() as unknown as {
    generateSecuredApiKey(options: { parentApiKey: string; restrictions: { filters: string } }): string
  }
  const key = client.generateSecuredApiKey({ parentApiKey: 'conformance-search', restrictions: { filters: 'brand:Brexiro' } })
  const { results } = await lite(key).search({ requests: [{ indexName: 'goods', hitsPerPage: 0 }] })
  assert.equal('nbHits' in results[0]! && results[0].nbHits, 18)
})

test('a secured key that has expired, or is derived from an admin key, is refused', async () => {
  const expired = securedKey('conformance-search', { validUntil: Math.floor(Date.now() / 1000) - 10 })
  await assert.rejects(lite(expired).search({ requests: [{ indexName: 'goods' }] }), { status: 403 })
  await assert.rejects(lite(securedKey('conformance-admin', { filters: '' })).search({ requests: [{ indexName: 'goods' }] }), {
    status: 403,
  })
})

test('errors in a request are reported in the API’s error format', async () => {
  await assert.rejects(admin().searchSingleIndex({ indexName: 'goods', searchParams: { filters: 'price > AND' } }), { status: 400 })
  await assert.rejects(admin().searchSingleIndex({ indexName: 'goods', searchParams: { page: -1 } }), {
    status: 400,
    message: /page must be/,
  })
  await assert.rejects(admin().searchSingleIndex({ indexName: 'nowhere', searchParams: {} }), { status: 404 })
})
