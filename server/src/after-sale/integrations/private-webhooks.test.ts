/** Webhooks of sellers that lead into our own network, or that never end. */
import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { productionSettings, testDatabase, useSettings } from '#platform/testing'
import { postWebhook } from '../../foundation/platform/post-webhook.ts'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { fillShop } from '../../selling/checkout/testing.ts'
import { paidOrder } from '../fulfilment/testing.ts'
import { handlers, jobs } from './jobs.ts'
import { addKey, attemptNow, caller } from './testing.ts'

const database = await testDatabase()
await fillShop(database)
const gateway = await testGateway(database.pool)
const seller = caller(gateway.url, (await addKey(database.db, 1)).key)

/** A program inside our network, which answers as it is told. */
let calls = 0
let answer = (response: ServerResponse): void => void response.end('thanks')
const inside = createServer((request, response) => {
  calls++
  request.resume()
  answer(response)
})
await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
after(() => inside.close())
const address = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/`
const events = ['order.accepted']

for (const url of [
  'http://127.0.0.1/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://10.0.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://database.internal/',
  'https://localhost/',
  'https://shop.example.com:5432/',
  'gopher://shop.example.com/',
  'file:///etc/passwd',
])
  test(`A69 on real domains no webhook leads to ${url}`, async () => {
    useSettings(productionSettings)
    const { status } = await seller('POST', '/webhooks', { url, events })
    assert.equal(status, 400)
  })

test('A69 on real domains a public address can be a webhook', async () => {
  useSettings(productionSettings)
  assert.equal((await seller('POST', '/webhooks', { url: 'https://shop.example.com/hooks', events })).status, 201)
})

test('A69 a private address stored before the shop had real domains is not called, and its log says why', async () => {
  useSettings({})
  const { body } = await seller('POST', '/webhooks', { url: address, events })
  const { part } = await paidOrder(database, [[1, 1]])
  await seller('POST', `/orders/${part(1)}/accept`)
  const deliveries = async () =>
    (await seller('GET', `/webhooks/${String(body['id'])}/deliveries`)).body as { deliveries: { state: string; error: string }[] }
  useSettings(productionSettings)
  await runWork(database, handlers, jobs)
  const [refused] = (await deliveries()).deliveries
  assert.deepEqual([refused?.state, refused?.error, calls], ['waiting', 'address-refused', 0])
  // It is the address alone that kept it away.
  useSettings({})
  await attemptNow(database)
  await runWork(database, handlers, jobs)
  assert.deepEqual([(await deliveries()).deliveries[0]?.state, calls], ['delivered', 1])
})

test('a name that nobody knows is a failed attempt, and nothing else fails by it', async () => {
  const missing = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
  const posted = await postWebhook('https://gone.example.com/', '{}', {}, { isLocal: false, lookup: (_name, done) => done(missing) })
  assert.deepEqual(posted, { status: null, error: 'connection-failed' })
})

test('A69 an answer without an end is not read: its status counts, and its connection is closed', async () => {
  useSettings({})
  let sent = 0
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    const chunk = Buffer.alloc(64 * 1024)
    const pour = setInterval(() => {
      sent += chunk.length
      response.write(chunk)
    }, 1)
    response.once('close', () => {
      clearInterval(pour)
      resolve()
    })
  }
  assert.deepEqual(await postWebhook(address, '{}', {}), { status: 200, error: null })
  await closed
  assert.ok(sent < 20_000_000, `${sent} bytes`)
})

test('A69 an answer whose head never ends is given up after ten seconds', async () => {
  useSettings({})
  answer = (response) => {
    response.socket?.write('HTTP/1.1 200 OK\r\n')
    const drip = setInterval(() => response.socket?.write('x-slow: 1\r\n'), 200)
    response.socket?.once('close', () => clearInterval(drip))
  }
  const startedAt = performance.now()
  assert.deepEqual(await postWebhook(address, '{}', {}), { status: null, error: 'timeout' })
  assert.ok(performance.now() - startedAt < 12_000)
})
