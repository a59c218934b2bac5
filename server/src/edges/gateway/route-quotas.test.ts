/** What strangers may send to the gateway's routes, by network. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { log, settings, takeQuota } from '#platform'
import { testDatabase } from '#platform/testing'
import { addKey } from '../../after-sale/integrations/testing.ts'
import { calls } from '../../after-sale/integrations/calls.ts'
import { quotas } from '../../foundation/platform/quota-limits.ts'
import { useSettings } from '../../foundation/platform/settings.ts'
import { fillShop } from '../../selling/checkout/testing.ts'
import { testGateway } from './testing.ts'

const database = await testDatabase()
await fillShop(database)
const gateway = await testGateway(database.pool, { trustProxy: '127.0.0.1' })
after(() => gateway.close())

type Sent = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> }
const send = (path: string, address: string, { headers, ...sent }: Sent = {}) =>
  fetch(`${gateway.url}${path}`, { redirect: 'manual', ...sent, headers: { 'x-forwarded-for': address, ...headers } })
const statusOf = async (...asked: Parameters<typeof send>) => (await send(...asked)).status
/** Leaves so many requests of a minute. */
const leave = (units: number, address: string, name: 'request' | 'file' = 'request') =>
  takeQuota(name, { address }, quotas[name].address.units - units)

const costed = [/^\/graphql$/, /^\/search-engine\//, /^\/health\//, /^\/metrics$/]

test('V-11 every route refuses a network that sends thousands of requests a minute, before it does anything, and serves others', async () => {
  const address = '2001:db8:5:1::1'
  await leave(0, address)
  await leave(0, address, 'file')
  const asked = gateway.routes.flatMap(({ method, url }) => [method].flat().map((each) => ({ method: each, url })))
  const free = new Set<string>()
  for (const { method, url } of asked) {
    if (!['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method)) continue
    const { status, headers } = await send(url.replaceAll(/:\w+|\*/g, '1'), '2001:db8:5:1:2::3', { method })
    if (status === 429) assert.ok(Number(headers.get('retry-after')) >= 1, url)
    else free.add(url)
  }
  const unexpected = [...free].filter((url) => !costed.some((pattern) => pattern.test(url)))
  assert.deepEqual(unexpected, [])
  for (const path of ['/api/auth/session', '/health/live', '/health/ready'])
    assert.equal(await statusOf(path, '2001:db8:5:2::1'), 200, `${path} of another network`)
  assert.equal(await statusOf('/health/ready', address), 200, 'probes')
})

test('V-11 addresses that no route has count as requests', async () => {
  const address = '203.0.113.26'
  await leave(2, address)
  assert.deepEqual([await statusOf('/api/zzz', address), await statusOf('/api/zzz', address, { method: 'POST' })], [404, 404])
  const { status, headers } = await send('/api/zzz', address)
  assert.equal(status, 429)
  assert.ok(Number(headers.get('retry-after')) >= 1)
  assert.equal(await statusOf('/api/auth/session', address), 429)
})

test('V-11 pictures and files have a far higher quota of their own', async () => {
  const address = '203.0.113.20'
  await leave(0, address)
  assert.equal(await statusOf('/api/auth/session', address), 429)
  for (const path of ['/pictures/p/101/main.svg', '/files/picture/x.webp', '/documents/p/101/manual-en.html'])
    assert.notEqual(await statusOf(path, address), 429, path)
  await takeQuota('file', { address }, quotas.request.address.units * 6)
  assert.notEqual(await statusOf('/pictures/p/101/main.svg', address), 429)
  await leave(0, address, 'file')
  assert.equal(await statusOf('/pictures/p/101/main.svg', address), 429)
})

test('V-11 the operators’ key is not counted, and whoever only says it has it is', async () => {
  const key = 'test-operator-key'
  useSettings({ ...process.env, OPERATOR_API_KEY: key })
  after(() => useSettings())
  const address = '203.0.113.21'
  await leave(0, address)
  const asks = (presented: string) => statusOf('/api/v1/operator/header', address, { headers: { authorization: `Bearer ${presented}` } })
  assert.equal(await asks(key), 200)
  assert.equal(await asks(`${key}x`), 429)
})

test('V-11 signed messages of a provider are never too many; forged ones are', async () => {
  const address = '203.0.113.22'
  await leave(1, address)
  const intent = { id: 'pi_1', status: 'captured', reference: 'r', amount: 1, currency: 'GBP', captured: 1, refunded: 0 }
  const body = JSON.stringify({
    id: 'evt_1',
    type: 'intent.captured',
    intent: { ...intent, failure_code: null, card: null, frame_url: '' },
  })
  const report = (secret: string) => {
    const seconds = Math.floor(Date.now() / 1000)
    const signature = `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
    return statusOf('/webhooks/payment', address, { method: 'POST', body, headers: { 'x-payment-signature': signature } })
  }
  const { webhookSecret } = settings().payments
  for (let n = 0; n < 4; n++) assert.equal(await report(webhookSecret), 200)
  assert.deepEqual([await report('another secret'), await report('another secret')], [400, 429])
})

test('V-11 made-up keys of sellers count before they are looked up; valid ones use up nothing', async (t) => {
  const address = '203.0.113.23'
  await leave(1, address)
  const { key } = await addKey(database.db, 1)
  const asks = (presented: string) => statusOf('/api/seller/v1/orders', address, { headers: { authorization: `Bearer ${presented}` } })
  for (let n = 0; n < 4; n++) assert.equal(await asks(key), 200)
  const madeUp = `pks_${'x'.repeat(43)}`
  assert.equal(await asks(madeUp), 401)
  const reads = t.mock.method(database.pool.lanes, 'reads')
  assert.equal(await asks(madeUp), 429)
  assert.equal(reads.mock.callCount(), 0)
})

test('the OpenAPI document of the sellers’ API is built once for each origin, however often it is requested', async () => {
  const [call] = calls
  assert.ok(call)
  const { summary } = call
  let built = 0
  Object.defineProperty(call, 'summary', { get: () => (built++, summary) })
  const address = '203.0.113.24'
  const document = async () => {
    const answer = await send('/api/seller/v1/openapi.json', address)
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    return ((await answer.json()) as { servers: { url: string }[] }).servers[0]?.url
  }
  const servers = new Set<string | undefined>()
  await document()
  const once = built
  assert.ok(once > 0)
  for (let n = 0; n < 5; n++) servers.add(await document())
  assert.deepEqual([built, servers.size], [once, 1])
  Object.defineProperty(call, 'summary', { value: summary })
})

test('V-12 readiness reads the database at most every 500 ms, whoever asks, and goes on reading it', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 60_000 })
  let pings = 0
  const { lanes } = database.pool
  const reads = lanes.reads.bind(lanes)
  t.mock.method(lanes, 'reads', (statement: Parameters<typeof reads>[0]) => {
    if (statement.name === 'gateway.ping') pings++
    return reads(statement)
  })
  const ready = () => statusOf('/health/ready', '203.0.113.25')
  for (const status of await Promise.all(Array.from({ length: 20 }, ready))) assert.equal(status, 200)
  t.mock.timers.tick(499)
  assert.deepEqual([await ready(), pings], [200, 1])
  t.mock.timers.tick(1)
  assert.deepEqual([await ready(), pings], [200, 2])
  t.mock.method(lanes, 'reads', () => Promise.reject(new Error('the database is gone')))
  assert.equal(await ready(), 200)
  t.mock.timers.tick(500)
  assert.deepEqual([await ready(), await ready()], [503, 503])
})

for (const [path, text] of [
  ['/webhooks/payment', 'a forged payment message was refused'],
  ['/webhooks/identity', 'a logout token was refused'],
  ['/webhooks/carrier', 'a forged message of the carrier was refused'],
  ['/webhooks/credit', 'a forged message of the credit provider was refused'],
  ['/webhooks/sms', 'a forged message of the SMS provider was refused'],
] as const)
  test(`A44 forged messages to ${path} write at most 120 lines a minute`, async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 120_000 })
    const warn = t.mock.method(log, 'warn', () => undefined)
    const lines = () => warn.mock.calls.filter(({ arguments: given }) => (given as unknown[])[1] === text).length
    for (let n = 0; n < 130; n++)
      assert.ok([400, 403].includes(await statusOf(path, `198.51.100.${n}`, { method: 'POST', body: '{}' })), path)
    assert.equal(lines(), 120)
    t.mock.timers.tick(60_000)
    await statusOf(path, '198.51.100.1', { method: 'POST', body: '{}' })
    assert.equal(lines(), 121)
  })
