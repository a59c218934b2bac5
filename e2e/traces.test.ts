import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { addOffer, fillShop } from '@purlin/server/selling/checkout/testing.ts'
import { testGateway, type TestGateway } from '@purlin/server/edges/gateway/testing.ts'
import { loadJobs } from '@purlin/server/edges/worker/load-jobs.ts'
import { runWork } from '@purlin/server/edges/worker/testing.ts'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { startSdk } from '@purlin/server/foundation/platform/tracing-sdk.ts'
import { embeddedProvider } from '@purlin/server/selling/payments/embedded-provider.ts'
import { usePaymentProvider } from '@purlin/server/selling/payments/settings.ts'
import { draftAs, place } from './faults/buyer.ts'
import { newGuest } from './faults/shop-process.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: unknown }[]
}

/** A collector of OpenTelemetry as small as it can be: OTLP over HTTP, in JSON. */
const spans: Span[] = []
const collector = createServer((req, res) => {
  let text = ''
  req.setEncoding('utf8').on('data', (part: string) => (text += part))
  req.on('end', () => {
    assert.equal(req.url, '/v1/traces')
    const sent = JSON.parse(text) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
    spans.push(...sent.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})

/** A payment provider that remembers the headers of its calls and answers none. */
const paymentCalls: (string | undefined)[] = []
const payments = createServer((req, res) => {
  paymentCalls.push(req.headers['traceparent'] as string | undefined)
  res.writeHead(500, { 'content-type': 'application/json' }).end('{}')
})

const database = await testDatabase()
const all = await loadJobs()
const portOf = (server: typeof collector) => (server.address() as AddressInfo).port
const start = () => startSdk({ endpoint: `http://127.0.0.1:${portOf(collector)}`, service: 'purlin', ratio: 1 }, 'web 1')
const placing = 'query ($id: ID!) { product(id: $id) { id } }'
let trusting: TestGateway
let plain: TestGateway
before(async () => {
  for (const server of [collector, payments]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await fillShop(database)
  await addOffer(database, { id: '9001', stock: 50 })
  trusting = await testGateway(database.pool, { trustProxy: '127.0.0.1,::1' })
  plain = await testGateway(database.pool)
  usePaymentProvider(embeddedProvider({ url: `http://127.0.0.1:${portOf(payments)}`, secret: 's', webhookSecret: 'w' }))
})
after(() => {
  collector.close()
  payments.close()
})

const pathOf = (span: Span): string[] => {
  const parent = spans.find(({ spanId, traceId }) => spanId === span.parentSpanId && traceId === span.traceId)
  return [...(parent ? pathOf(parent) : []), span.name]
}
const payload = async (): Promise<{ traceparent?: string }> => {
  const { rows } = await database.pool.query<{ payload: { traceparent?: string } }>(
    `select payload from platform.outbox where type = 'payment.requested' order by position desc limit 1`,
  )
  assert.ok(rows[0])
  return rows[0].payload
}

test('a purchase is one trace, from its request through operation and SQL to the event, its handler and the call of the payment provider', async () => {
  const stop = start()
  const guest = newGuest(Number(new URL(plain.url).port))
  assert.equal(await place(await draftAs(guest, '9001', 'robin.field@example.com')), 'sold')
  const { traceparent = '' } = await payload()
  await runWork(
    database,
    all.handlers.filter(({ name }) => name.startsWith('payments.')),
    [],
  ).catch(() => 0)
  await stop()

  const traceId = traceparent.split('-')[1]
  const paths = spans.filter((span) => span.traceId === traceId).map((span) => pathOf(span).join(' > '))
  const request = 'POST /graphql > mutation anonymous'
  assert.ok(paths.join('\n'))
  assert.ok(paths.includes(`${request} > orders.place`) && paths.includes(`${request} > commit`), paths.join('\n'))
  const work = paths.filter((path) => path.includes('event payment.requested'))
  assert.ok(
    work.every((path) => path.startsWith(request)),
    paths.join('\n'),
  )
  assert.ok(
    work.some((path) => path.endsWith('handler payments.create-intent > POST payment provider')),
    paths.join('\n'),
  )
  assert.ok(paymentCalls.some((header) => header?.split('-')[1] === traceId))
})

test('A58 no attribute or name of a span holds an address of a person, a value of a statement or the text of an operation', () => {
  assert.ok(spans.length > 20)
  const told = JSON.stringify(spans.map(({ name, attributes }) => [name, attributes]))
  assert.doesNotMatch(told, /robin|example\.com|Mill Lane|SW1A|insert into|select |offerId|9001/i)
  const keys = new Set(spans.flatMap(({ attributes }) => attributes.map(({ key }) => key)))
  const known = [
    'http.request.method',
    'http.response.status_code',
    'http.route',
    'db.system.name',
    'purlin.cost',
    'purlin.attempt',
    'error.type',
  ]
  assert.deepEqual(
    [...keys].filter((key) => !known.includes(key)),
    [],
  )
})

const foreign = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }
const invalid = ['', '00-1-2-01', `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`, `00-${'A'.repeat(32)}-${'b'.repeat(16)}-01`]

test('A45 the trace of a proxy of ours is continued; that of anybody else, or an invalid one, is not', async () => {
  const stop = start()
  spans.length = 0
  await plain.post(placing, { id: '1' }, { headers: foreign })
  for (const traceparent of invalid) await trusting.post(placing, { id: '1' }, { headers: { traceparent } })
  await trusting.post(placing, { id: '1' }, { headers: foreign })
  await stop()
  const requests = spans.filter(({ name }) => name === 'POST /graphql')
  assert.equal(requests.length, 6)
  const continued = requests.filter(({ traceId }) => traceId === 'a'.repeat(32))
  assert.deepEqual(
    continued.map(({ parentSpanId }) => parentSpanId),
    ['b'.repeat(16)],
  )
  assert.ok(requests.every(({ traceId }) => /^[\da-f]{32}$/.test(traceId) && !/^0+$/.test(traceId)))
})

test('a request that its proxy does not sample leaves no span; nor does any with a ratio of nothing', async () => {
  spans.length = 0
  const stop = start()
  await trusting.post(placing, { id: '1' }, { headers: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00` } })
  await stop()
  const stopNone = startSdk({ endpoint: `http://127.0.0.1:${portOf(collector)}`, service: 'purlin', ratio: 0 }, 'web 1')
  await plain.post(placing, { id: '1' })
  await stopNone()
  assert.deepEqual(spans, [])
})

test('without a collector nothing is traced, and events carry no trace', async () => {
  spans.length = 0
  const guest = newGuest(Number(new URL(plain.url).port))
  assert.equal(await place(await draftAs(guest, '9001', 'alex.meadow@example.com')), 'sold')
  assert.deepEqual([(await payload()).traceparent, spans], [undefined, []])
})
