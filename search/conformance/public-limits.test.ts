import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { liteClient } from 'algoliasearch/lite'
import { startUnderTest, type UnderTest } from './under-test.ts'

let under: UnderTest
let steps = 0
let isFull = false
before(async () => {
  under = await startUnderTest(undefined, {
    schedule: async (searches) => {
      if (isFull) throw new Error('too many wait')
      return searches(async (search) => (steps++, search()))
    },
    onError: () => ({ status: 503, message: 'Busy', retryAfter: 2 }),
  })
  const large = Array.from({ length: 400 }, (_, at) => ({ objectID: `${at}`, title: 'Plank', text: 'x'.repeat(4000) }))
  await under.engine.replaceAll('large', large, { language: 'en', searchableAttributes: ['title'], hitsPerPage: 30 })
})
after(() => under.close())

const client = (key = 'conformance-search') =>
  liteClient('purlin', key, { hosts: [{ url: under.host, accept: 'readWrite', protocol: 'http' }] })
const refused = (message: RegExp) => (error: { status?: number; message?: string }) => {
  assert.equal(error.status, 400)
  assert.match(String(error.message), message)
  return true
}
const times = <Value>(count: number, value: Value) => Array.from({ length: count }, () => value)

test('V-08 with a public key a request may ask for a thousand hits, over all of its queries', async () => {
  const tooMany = refused(/hitsPerPage: at most 1000 over all queries/)
  const asks = (...requests: object[]) => client().search({ requests: requests.map((one) => ({ indexName: 'goods', ...one })) })
  await assert.rejects(asks(...times(50, { hitsPerPage: 1000 })), tooMany)
  await assert.rejects(asks({ hitsPerPage: 1000 }, { hitsPerPage: 1 }), tooMany)
  await assert.rejects(asks({ offset: 0, length: 1000 }, { hitsPerPage: 1 }), tooMany)
  await assert.rejects(client().search({ requests: times(34, { indexName: 'large' }) }), tooMany, 'the hits of its settings count')
  assert.equal((await asks({ hitsPerPage: 1000 }, { hitsPerPage: 0 })).results.length, 2)
  assert.equal((await asks(...times(50, { hitsPerPage: 20 }))).results.length, 50)
  assert.equal((await asks(...times(50, {}))).results.length, 50, 'twenty by default')
  const reader = await client('conformance-reader').search({ requests: times(3, { indexName: 'goods', hitsPerPage: 1000 }) })
  assert.equal(reader.results.length, 3, 'whoever may browse may read everything anyway')
})

test('V-08 with a public key no response is larger than a megabyte, whatever it consists of', async () => {
  const tooLarge = refused(/The response would be too large/)
  const attributesToRetrieve = ['title']
  await assert.rejects(client().search({ requests: [{ indexName: 'large', hitsPerPage: 400 }] }), tooLarge)
  await assert.rejects(client().search({ requests: times(10, { indexName: 'large', hitsPerPage: 30 }) }), tooLarge)
  const titles = await client().search({ requests: [{ indexName: 'large', hitsPerPage: 400, attributesToRetrieve }] })
  assert.equal('hits' in titles.results[0]! && titles.results[0].hits.length, 400)
  const all = await client('conformance-reader').search({ requests: [{ indexName: 'large', hitsPerPage: 400 }] })
  assert.equal('hits' in all.results[0]! && all.results[0].hits.length, 400)

  const facetFilters = times(20, `colour:${'é'.repeat(400)}`)
  await assert.rejects(client().search({ requests: times(50, { indexName: 'goods', hitsPerPage: 0, facetFilters }) }), tooLarge)
  const highlightPreTag = '<b>'.repeat(100)
  await assert.rejects(client().search({ requests: [{ indexName: 'goods', query: 'drill', highlightPreTag }] }), refused(/highlightPreTag/))
})

test('V-08 each query of a public key is a step of its schedule, facet values included; too many waiting requests are 503', async () => {
  steps = 0
  const { results } = await client().search({
    requests: [
      { indexName: 'goods', query: 'drill', hitsPerPage: 1 },
      { indexName: 'goods', type: 'facet', facet: 'brand', facetQuery: 'tar' },
      { indexName: 'advice', query: 'drill' },
    ],
  })
  assert.equal(steps, 3)
  assert.deepEqual(
    results.map((one) => ('facetHits' in one ? one.facetHits.map((hit: { value: string }) => hit.value) : 'nbHits' in one && one.nbHits)),
    [24, ['Tarvok'], 1],
  )
  isFull = true
  const headers = { 'x-algolia-api-key': 'conformance-search' }
  const ask = (path: string, body: object) =>
    fetch(`${under.origin}/search-engine/1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  for (const busy of [await ask('indexes/goods/query', {}), await ask('indexes/goods/facets/brand/query', {})]) {
    assert.deepEqual([busy.status, busy.headers.get('retry-after')], [503, '2'])
    assert.deepEqual(await busy.json(), { message: 'Busy', status: 503 })
  }
  isFull = false
})
