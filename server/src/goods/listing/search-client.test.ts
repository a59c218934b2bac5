import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IndexedQuery, SearchResponse } from '@purlin/search/types.ts'
import { searchClient, searchTimeoutMs, type SearchProvider } from './search-client.ts'

const empty = { hits: [], nbHits: 0 } as unknown as SearchResponse
const query: IndexedQuery = { indexName: 'products_gb', params: { query: 'drill' } }

function provider(
  answer: (queries: IndexedQuery[]) => Promise<SearchResponse[]> | SearchResponse[],
): SearchProvider & { asked: { queries: IndexedQuery[]; userToken?: string; signal: AbortSignal }[] } {
  const asked: { queries: IndexedQuery[]; userToken?: string; signal: AbortSignal }[] = []
  return {
    asked,
    async multiSearch(queries, options) {
      asked.push({ queries, ...options })
      return answer(queries)
    },
  }
}

test('R-544 queries go to the provider and its response is returned', async () => {
  const given = provider(() => [empty])
  assert.deepEqual(await searchClient(given).search(query), { status: 200, value: empty })
  assert.deepEqual(given.asked[0]?.queries, [query])
})

test('R-546 R-548 R-621 a provider that takes longer than 300 ms is abandoned and aborted: status 0 with the message', async () => {
  assert.equal(searchTimeoutMs, 300)
  const given = provider(() => new Promise(() => undefined))
  const answer = await searchClient(given).search(query)
  assert.deepEqual(answer, { status: 0, message: 'The search engine did not answer within 300 ms' })
  assert.equal(given.asked[0]?.signal.aborted, true)
})

test('R-548 a failing request is status 0 with the message', async () => {
  const given = provider(() => Promise.reject(new Error('connect ECONNREFUSED')))
  assert.deepEqual(await searchClient(given).search(query), { status: 0, message: 'connect ECONNREFUSED' })
})

test('R-548 garbage is a failure too', async () => {
  for (const garbage of [[], [{}], [null], [empty, empty]] as unknown as SearchResponse[][]) {
    assert.equal((await searchClient(provider(() => garbage)).search(query)).status, 0)
  }
})

test('F6 after five consecutive failures the circuit opens for a moment, then the provider is tried again', async () => {
  let down = true
  const given = provider(() => (down ? Promise.reject(new Error('down')) : [empty]))
  const client = searchClient(given)
  for (let time = 0; time < 8; time += 1) assert.equal((await client.search(query)).status, 0)
  assert.equal(given.asked.length, 5)
  down = false
  await new Promise((resolve) => setTimeout(resolve, 1_050))
  assert.equal((await client.search(query)).status, 200)
})

test('a query the provider rejects does not open the circuit breaker: visitors could disable search with it', async () => {
  const given = provider(() => Promise.reject(Object.assign(new Error('filters: unexpected'), { status: 400 })))
  const client = searchClient(given)
  for (let time = 0; time < 8; time += 1) assert.deepEqual(await client.search(query), { status: 0, message: 'filters: unexpected' })
  assert.equal(given.asked.length, 8)
})

test('the user token is sent only when it is known', async () => {
  const given = provider(() => [empty])
  await searchClient(given, { userToken: 'visitor-1' }).search(query)
  await searchClient(given).search(query)
  assert.deepEqual(
    given.asked.map(({ userToken }) => userToken),
    ['visitor-1', undefined],
  )
})

test('the history search filters by object ids ordered by score, under its rule context, and returns hits only', async () => {
  const hits = [{ objectID: '7' }, { objectID: '3' }]
  const given = provider(() => [{ ...empty, hits }])
  const answer = await searchClient(given).productHistory('products_fr', ['7', '3'])
  assert.deepEqual(answer, { status: 200, value: hits })
  const params = given.asked[0]?.queries[0]?.params
  assert.equal(params?.filters, 'objectID:"7"<score=2> OR objectID:"3"<score=1>')
  assert.deepEqual(params?.ruleContexts, ['product-history'])
  assert.deepEqual(params?.responseFields, ['hits'])
  assert.deepEqual(await searchClient(given).productHistory('products_fr', []), { status: 200, value: [] })
})
