import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '#platform'
import { testDatabase } from '#platform/testing'
import { isEndpointUrl, isPublicAddress, postWebhook } from '../../foundation/platform/post-webhook.ts'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { startWorker } from '../../edges/worker/worker.ts'
import { fillShop } from '../../selling/checkout/testing.ts'
import { paidOrder } from '../fulfilment/testing.ts'
import { handlers, jobs } from './jobs.ts'
import { addKey, attemptNow, caller } from './testing.ts'
import { enqueueDelivery } from './send-webhooks.ts'
import { insertDelivery } from './webhook-store.ts'
import { nextAttempt } from './webhook.ts'

const database = await testDatabase()
await fillShop(database)
const gateway = await testGateway(database.pool)
const ours = caller(gateway.url, (await addKey(database.db, 1)).key)
const theirs = caller(gateway.url, (await addKey(database.db, 2)).key)

/** A seller's program: what it received, and what it answers. */
const received: { path: string; headers: IncomingHttpHeaders; body: string }[] = []
let status = 200
const held: ServerResponse[] = []
const program = createServer((request, response) => {
  let body = ''
  request.on('data', (part: Buffer) => (body += part.toString()))
  request.on('end', () => {
    received.push({ path: request.url ?? '', headers: request.headers, body })
    if (request.url === '/hangs') return void held.push(response)
    response.writeHead(status, status >= 300 && status < 400 ? { location: '/elsewhere' } : {}).end('thanks')
  })
})
await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve))
after(() => program.close())
const at = (path: string) => `http://127.0.0.1:${(program.address() as AddressInfo).port}${path}`

interface Made {
  id: string
  secret: string
}
async function addWebhook(path: string, events: readonly string[], call = ours): Promise<Made> {
  const answer = await call('POST', '/webhooks', { url: at(path), events })
  assert.equal(answer.status, 201)
  return answer.body as unknown as Made
}
const to = (path: string) => received.filter((each) => each.path === path)
interface Logged {
  id: string
  event: string
  state: string
  attempts: number
  status: number | null
  error: string | null
}
const logOf = async (id: string) => ((await ours('GET', `/webhooks/${id}/deliveries`)).body as { deliveries: Logged[] }).deliveries
const work = () => runWork(database, handlers, jobs)

test('events of a seller’s orders arrive signed, and only those asked for', async () => {
  const { id, secret } = await addWebhook('/orders', ['order.paid', 'order.accepted', 'order.shipped'])
  await addWebhook('/stranger', ['order.paid'], theirs)
  const { part, orderId } = await paidOrder(database, [[1, 1]])
  await ours('POST', `/orders/${part(1)}/accept`)
  await ours('POST', `/orders/${part(1)}/parcels`, { carrier: { name: 'DHL', trackingNumber: `X${randomUUID().slice(0, 8)}` } })
  await work()
  const messages = to('/orders')
  const types = messages.map(({ body }) => (JSON.parse(body) as { type: string }).type)
  assert.deepEqual(types.toSorted(), ['order.accepted', 'order.paid', 'order.shipped'])
  assert.equal(to('/stranger').length, 0)
  for (const { headers, body } of messages) {
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
    const signature = createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
      .update(signed)
      .digest('base64')
    assert.equal(headers['webhook-signature'], `v1,${signature}`)
    assert.ok(body.includes(orderId))
  }
  const log = await logOf(id)
  assert.ok(log.length === 3 && log.every((each) => each.state === 'delivered' && each.status === 200 && each.attempts === 1))
  const { body: list } = await ours('GET', '/webhooks')
  assert.ok(!JSON.stringify(list).includes(secret), 'the secret is shown again')
})

test('a failing address is tried again with growing pauses, becomes a dead letter, and can be replayed with the same id', async () => {
  const { id } = await addWebhook('/failing', ['order.accepted'])
  const { part } = await paidOrder(database, [[1, 1]])
  status = 503
  await ours('POST', `/orders/${part(1)}/accept`)
  await work()
  assert.deepEqual(
    (await logOf(id)).map(({ state, attempts, status: last }) => [state, attempts, last]),
    [['waiting', 1, 503]],
  )
  for (let n = 0; n < 20; n++) {
    await attemptNow(database)
    await work()
  }
  const [dead] = await logOf(id)
  assert.deepEqual([dead?.state, dead?.attempts], ['dead', 8])
  assert.equal(to('/failing').length, 8)
  status = 200
  assert.equal((await ours('POST', `/deliveries/${dead?.id}/replay`)).status, 200)
  await work()
  assert.deepEqual(
    (await logOf(id)).map(({ state, attempts }) => [state, attempts]),
    [['delivered', 1]],
  )
  assert.equal(new Set(to('/failing').map(({ headers }) => headers['webhook-id'])).size, 1)
  const pauses = Array.from({ length: 8 }, (_, failed) => nextAttempt(failed + 1, new Date(0))?.getTime() ?? null)
  assert.ok(pauses.every((pause, n) => n === 0 || pause === null || pause > (pauses[n - 1] ?? 0)) && pauses.at(-1) === null)
})

test('F8 an endpoint that never answers keeps neither another endpoint of its seller waiting nor another seller', async (context) => {
  const theirEndpoint = await addWebhook('/theirs', ['message.written'], theirs)
  await addWebhook('/hangs', ['message.written'])
  const healthy = await addWebhook('/healthy', ['message.written'])
  // Messages that wait, as after a minute of orders.
  const deliver = (endpointId: string) =>
    database.command({}, async (scope) => {
      const id = newId()
      const body = JSON.stringify({ type: 'message.written' })
      await insertDelivery(scope.db, { id, endpointId, event: 'message.written', body, createdAt: scope.now })
      await enqueueDelivery(scope, id, scope.now)
    })
  const hanging = ((await ours('GET', '/webhooks')).body as { webhooks: { id: string; url: string }[] }).webhooks.find(({ url }) =>
    url.endsWith('/hangs'),
  )
  for (let n = 0; n < 40; n++) await deliver(hanging?.id ?? '')
  const worker = startWorker({ pool: database.pool, handlers, jobs, schedules: [] })
  context.after(() => worker.stop())
  while (to('/hangs').length === 0) await sleep(20)
  await deliver(theirEndpoint.id)
  await deliver(healthy.id)
  const started = Date.now()
  const arrived = () => [to('/theirs').length, to('/healthy').length]
  while (arrived().includes(0) && Date.now() - started < 5000) await sleep(20)
  assert.deepEqual(arrived(), [1, 1])
  assert.ok(to('/hangs').length <= 3, 'three messages to an endpoint are under way at most')
  // Deliveries that wait use up no attempt.
  const { rows } = await database.pool.query<{ attempts: number }>(
    'select distinct attempts from integrations.delivery where endpoint_id = $1',
    [hanging?.id],
  )
  assert.deepEqual(rows, [{ attempts: 0 }])
  await ours('DELETE', `/webhooks/${hanging?.id}`)
  for (const response of held) response.end()
})

test('A69 a redirect is not followed and counts as a failure', async () => {
  const { id } = await addWebhook('/moved', ['order.accepted'])
  const { part } = await paidOrder(database, [[1, 1]])
  status = 307
  await ours('POST', `/orders/${part(1)}/accept`)
  await work()
  status = 200
  const [logged] = await logOf(id)
  assert.deepEqual([logged?.state, logged?.status, logged?.error], ['waiting', 307, 'status'])
  assert.equal(to('/elsewhere').length, 0)
  assert.equal((await ours('DELETE', `/webhooks/${id}`)).status, 204)
  assert.equal((await ours('GET', `/webhooks/${id}/deliveries`)).status, 404)
})

test('A1 another seller’s webhooks and deliveries are unknown', async () => {
  const { id } = await addWebhook('/ours', ['order.accepted'])
  const { part } = await paidOrder(database, [[1, 1]])
  await ours('POST', `/orders/${part(1)}/accept`)
  await work()
  const [logged] = await logOf(id)
  for (const [method, foreign, unknown] of [
    ['GET', `/webhooks/${id}/deliveries`, `/webhooks/${randomUUID()}/deliveries`],
    ['DELETE', `/webhooks/${id}`, `/webhooks/${randomUUID()}`],
    ['POST', `/deliveries/${logged?.id}/replay`, `/deliveries/${randomUUID()}/replay`],
  ] as const) {
    const [one, other] = [await theirs(method, foreign), await theirs(method, unknown)]
    assert.deepEqual([one.status, one.body], [404, other.body], foreign)
  }
  assert.equal((await logOf(id)).length, 1)
})

for (const url of [
  'http://shop.example.com/',
  'https://shop.example.com:8443/',
  'https://user:secret@shop.example.com/',
  'https://localhost/',
  'https://printer.local/',
  'https://metadata.google.internal/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[fd00::1]/',
  'https://10.1.2.3/',
  'ftp://shop.example.com/',
  'file:///etc/passwd',
])
  test(`A69 on real domains the address ${url} is not called`, async () => {
    assert.equal(isEndpointUrl(url, false), false)
    assert.deepEqual(await postWebhook(url, '{}', {}, { isLocal: false }), { status: null, error: 'address-refused' })
  })

test('A69 on real domains only public https addresses on the usual port are called, whatever their names resolve to', async () => {
  for (const url of ['https://shop.example.com/hooks', 'https://8.8.8.8/', 'https://[2606:4700::1111]/'])
    assert.ok(isEndpointUrl(url, false), url)
  for (const address of ['127.0.0.1', '10.0.0.1', '100.64.1.1', '172.31.0.1', '192.168.1.1', '169.254.169.254', '0.0.0.0', '224.0.0.1'])
    assert.equal(isPublicAddress(address), false, address)
  const before = received.length
  // A public name next to a private one is refused as a whole: which one is called is chance.
  for (const addresses of [['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['::1'], ['::ffff:7f00:1']]) {
    const lookup = (_name: string, done: (error: null, found: { address: string; family: number }[]) => void) =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    const posted = await postWebhook('https://shop.example.com/', '{}', {}, { isLocal: false, lookup })
    assert.deepEqual(posted, { status: null, error: 'address-refused' }, addresses.join())
  }
  assert.equal(received.length, before)
})

test('a key without the scope of webhooks sees none; invalid addresses and events are refused', async () => {
  const reader = caller(gateway.url, (await addKey(database.db, 1, { scopes: ['orders:read'] })).key)
  assert.equal((await reader('GET', '/webhooks')).status, 403)
  for (const input of [
    { url: 'ftp://x.example/', events: ['order.paid'] },
    { url: at('/x'), events: [] },
    { url: at('/x'), events: ['order.eaten'] },
  ])
    assert.equal((await ours('POST', '/webhooks', input)).status, 400)
  assert.equal((await ours('POST', '/webhooks', { url: at('/twice'), events: ['order.paid'] })).status, 201)
  assert.equal((await ours('POST', '/webhooks', { url: at('/twice'), events: ['order.paid'] })).status, 409)
})
