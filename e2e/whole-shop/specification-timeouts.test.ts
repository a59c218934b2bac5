import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, mock, test } from 'node:test'
import type { SearchResponse } from '@purlin/search/types.ts'
import { searchClient, type SearchProvider } from '@purlin/server/goods/listing/search-client.ts'
import { clientFlags } from '@purlin/storefront/experiments/client-flags.ts'
import { GetCustomerSegmentsDocument } from '@purlin/storefront/generated/documents.ts'
import { merge } from '@purlin/storefront/history/product-history.ts'
import { arrival } from '@purlin/storefront/referer/referer.ts'
import { callApi } from '@purlin/storefront/session/api-client.ts'
import { updateSegments } from '@purlin/storefront/session/customer-requests.ts'
import { ask } from '@purlin/storefront/session/graphql-client.ts'
import { refreshSession } from '@purlin/storefront/session/session-client.ts'

/**
 * The calls of the specification's section 7 that have a timeout, each against a server that takes the request and never answers:
 * they end in time, each as the specification says, and the connection with them.
 */

const received: string[] = []
let closed = 0
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://x')
  received.push(`${request.method} ${pathname}`)
  response.on('close', () => closed++)
})
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
after(() => {
  server.closeAllConnections()
  server.close()
})
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const storage = { getItem: () => null, setItem() {}, removeItem() {} }
const dataset = { market: 'gb', mode: 'b2c', version: '1', page: 'home', timeout: '400' }
const cookie = `mm_consent=v1:statistics,userPreferences; mm_visitor_id=${randomUUID()}`
Object.assign(globalThis, {
  document: { documentElement: { dataset }, cookie, referrer: '' },
  location: new URL(`${origin}/`),
  localStorage: storage,
  sessionStorage: storage,
})

/** Timers never fire early, and a machine that others use fires them late. */
const [patience, late] = [400, 5_000]
async function timed<Value>(work: () => Promise<Value>): Promise<{ value: Value | undefined; error: unknown; ms: number }> {
  const startedAt = performance.now()
  const [result] = await Promise.allSettled([work()])
  const ms = performance.now() - startedAt
  return result.status === 'fulfilled' ? { value: result.value, error: null, ms } : { value: undefined, error: result.reason, ms }
}
/** What arrived at the server during the work. */
async function sentBy(work: () => Promise<void>): Promise<string[]> {
  const before = received.length
  await work()
  return received.slice(before)
}
const inTime = (ms: number, wanted = patience) => assert.ok(ms > wanted - 10 && ms < wanted + late, `${ms} ms instead of ${wanted}`)

interface Case {
  what: string
  call: () => Promise<unknown>
  sends: string
  /** What the caller gets; a call without it throws. */
  value?: unknown
  fails?: RegExp
}
const cases: Case[] = [
  { what: 'the generic client', call: () => callApi('/api/v1/anything'), sends: 'GET /api/v1/anything', fails: /TimeoutError/ },
  {
    what: 'flags and variations: the empty set',
    call: clientFlags,
    sends: 'POST /ab-test/api/v1/user/flags',
    value: { status: 'unavailable', flagValuesMap: {}, campaignVariations: [] },
  },
  { what: 'the referer service: ignored in silence', call: arrival, sends: 'GET /api/v1/referer/visitor', value: null },
  { what: 'merging the history', call: () => merge([]), sends: 'POST /api/v2/product-history/merge', fails: /TimeoutError/ },
  {
    what: 'GraphQL: GATEWAY_TIMEOUT_ERROR',
    call: () => ask(GetCustomerSegmentsDocument, {}, { prefersGet: true }),
    sends: 'GET /graphql',
    fails: /GetCustomerSegments: timeout/,
  },
  {
    what: 'the segment update: false',
    call: () => updateSegments({ b2b_welcome: true }),
    sends: 'PATCH /api/v2/customer-segment/customers',
    value: false,
  },
  { what: 'the session update: not signed in', call: refreshSession, sends: 'GET /api/auth/csrf', value: false },
]

for (const { what, call, sends, value, fails } of cases)
  test(`R-529 R-565 a server that never answers, ${what}: given up after REQUEST_TIMEOUT`, async () => {
    mock.method(console, 'error', () => undefined)
    const sent = await sentBy(async () => {
      const { value: given, error, ms } = await timed(call)
      inTime(ms)
      if (fails) assert.match(`${(error as Error | null)?.name} ${(error as Error | null)?.message}`, fails)
      else assert.deepEqual([given, error], [value, null])
    })
    mock.restoreAll()
    assert.equal(sent.length, 1)
    assert.ok(sent[0]?.startsWith(sends), sent.join())
  })

test('R-595 an operation of GraphQL may have a timeout of its own', async () => {
  const { error, ms } = await timed(() => ask(GetCustomerSegmentsDocument, {}, { timeoutMs: 100 }))
  inTime(ms, 100)
  assert.equal((error as { code?: string }).code, 'GATEWAY_TIMEOUT_ERROR')
})

test('R-546 R-548 R-621 a search provider that never answers: status 0 with the message after 300 ms, for queries and histories', async () => {
  const asked: AbortSignal[] = []
  const provider: SearchProvider = {
    async multiSearch(queries, { signal }) {
      asked.push(signal)
      const address = `${origin}/search-engine/1/indexes/*/queries`
      const answer = await fetch(address, { method: 'POST', body: JSON.stringify({ requests: queries }), signal })
      return (await answer.json()) as SearchResponse[]
    },
  }
  const client = searchClient(provider)
  const query = { indexName: 'products_gb', params: { query: 'drill' } }
  for (const work of [() => client.search(query), () => client.productHistory('products_gb', ['1'])]) {
    const { value, ms } = await timed<unknown>(work)
    inTime(ms, 300)
    assert.deepEqual(value, { status: 0, message: 'The search engine did not answer within 300 ms' })
  }
  assert.deepEqual(
    asked.map(({ aborted }) => aborted),
    [true, true],
  )
  assert.deepEqual(received.slice(-2), Array(2).fill('POST /search-engine/1/indexes/*/queries'))
})

test('a call that was given up holds no connection', async () => {
  for (let waited = 0; closed < received.length && waited < late; waited += 20) await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal(closed, received.length)
})
