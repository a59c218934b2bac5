import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { after, test } from 'node:test'
import { createSiteHosts } from '@purlin/contract/site-settings.ts'
import { connectObjectStore, folderStore } from '#files'
import { testDatabase } from '#platform/testing'
import { limitsPerNetwork } from '../../foundation/platform/connection-limits.ts'
import { limitConnections } from './connections.ts'
import { answerMalformed } from './malformed.ts'
import { testGateway } from './testing.ts'

const database = await testDatabase()
const directory = mkdtempSync(join(tmpdir(), 'slow-uploads-'))
connectObjectStore(folderStore(directory))
const gateway = await testGateway(database.pool, { trustProxy: '127.0.0.1' })
after(() => {
  rmSync(directory, { recursive: true, force: true })
  return gateway.close()
})
const gatewayPort = (gateway.server.address() as AddressInfo).port

/** A connection and everything it has received; it resolves once it is closed. */
function open(port: number, text = ''): { socket: Socket; received: () => string; closed: Promise<void> } {
  let received = ''
  const socket = connect(port, '127.0.0.1', () => text && socket.write(text)).on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => (received += String(chunk)))
  return { socket, received: () => received, closed: new Promise((resolve) => socket.once('close', () => resolve())) }
}

const request = 'GET / HTTP/1.1\r\nhost: fr.localhost:3000\r\nsec-fetch-mode: navigate\r\n\r\n'
const slowRequest = (client: string) =>
  `POST /graphql HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: ${client}\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{`

async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 5000; !holds(); await sleep(10)) assert.ok(Date.now() < end)
}

test('V-15 A67 behind a trusted proxy a client with too many requests under way gets 429, and nobody else does', async () => {
  const slow = Array.from({ length: limitsPerNetwork.requests }, () => open(gatewayPort, slowRequest('203.0.113.7')))
  const post = (client: string) => gateway.post('{ site { market } }', {}, { headers: { 'x-forwarded-for': client } })
  for (const end = Date.now() + 5000; (await post('203.0.113.7')).status !== 429; await sleep(20)) assert.ok(Date.now() < end)
  const asked = await fetch(`${gateway.url}/health/live`, { headers: { 'x-forwarded-for': '203.0.113.7' } })
  assert.deepEqual(
    [asked.status, asked.headers.get('retry-after'), asked.headers.get('connection'), asked.headers.get('x-content-type-options')],
    [429, '5', 'close', 'nosniff'],
  )
  assert.deepEqual(await asked.json(), { error: 'Too many connections from your network' })
  assert.equal((await post('203.0.113.8')).status, 200)
  for (const { socket } of slow) socket.destroy()
  for (const end = Date.now() + 5000; (await post('203.0.113.7')).status !== 200; await sleep(20)) assert.ok(Date.now() < end)
})

test('V-15 A67 a request whose headers are sent a byte at a time is closed within fifteen seconds', async () => {
  const startedAt = Date.now()
  const { socket, closed } = open(gatewayPort, 'GET / HTTP/1.1\r\nx-slow: ')
  const drip = setInterval(() => socket.writable && socket.write('x'), 200)
  await closed
  clearInterval(drip)
  assert.ok(Date.now() - startedAt < 15_000, `${Date.now() - startedAt} ms`)
})

test('V-15 A67 a body that is sent a byte at a time is closed within twenty seconds, also if it is called a file or was refused', async () => {
  const head = (path: string, type: string) =>
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\nsec-fetch-site: same-origin\r\ncontent-type: ${type}\r\ncontent-length: 5000\r\n\r\n`
  const file = 'multipart/form-data; boundary=x'
  const started = Date.now()
  const senders = [
    head('/graphql', 'application/json'),
    head('/graphql', file),
    `${head('/api/v1/uploads', file)}--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.4\n`,
  ].map((text) => open(gatewayPort, text))
  const drip = setInterval(() => senders.forEach(({ socket }) => socket.writable && socket.write(' ')), 500)
  const late = sleep(21_000, Infinity, { ref: false })
  const took = await Promise.all(senders.map(({ closed }) => Promise.race([closed.then(() => Date.now() - started), late])))
  clearInterval(drip)
  for (const { socket } of senders) socket.destroy()
  assert.ok(
    took.every((ms) => ms < 20_000),
    took.join(),
  )
  assert.deepEqual(
    senders.map(({ received }) => received().slice(9, 12)),
    ['', '415', ''],
  )
})

test('F13 V-15 A67 hundreds of late requests that are found in one turn of the event loop are answered over many turns', async () => {
  const accepted: Socket[] = []
  const server = createServer().on('connection', (socket: Socket) => accepted.push(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  const clients = Array.from({ length: 60 }, () => open((server.address() as AddressInfo).port, 'GET / HTTP/1.1\r\nx-slow: '))
  await until(() => accepted.length === clients.length)
  const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  for (const socket of accepted) answerMalformed(late, socket)
  const answered = () => accepted.filter(({ writableEnded, destroyed }) => writableEnded || destroyed).length
  let turns = 0
  for (; answered() < clients.length; turns++) await nextTurn()
  assert.ok(turns >= 8, `${turns} turns`)
  await Promise.all(clients.map(({ closed }) => closed))
  assert.match(clients[59]?.received() ?? '', /^HTTP\/1\.1 408 /)
})

test('V-15 a line of IPv6 is one network, however many of its addresses it uses', async () => {
  const slow = Array.from({ length: limitsPerNetwork.requests }, (_, n) => open(gatewayPort, slowRequest(`2001:db8:1:2::${n + 1}`)))
  const post = (client: string) => gateway.post('{ site { market } }', {}, { headers: { 'x-forwarded-for': client } })
  for (const end = Date.now() + 5000; (await post('2001:db8:1:2:ffff::1')).status !== 429; await sleep(20)) assert.ok(Date.now() < end)
  assert.equal((await post('2001:db8:1:3::1')).status, 200)
  for (const { socket } of slow) socket.destroy()
})

test('V-15 a line with many IPv6 networks has four times the requests of one network under way, and no more', async () => {
  const slow = Array.from({ length: 4 * limitsPerNetwork.requests }, (_, n) =>
    open(gatewayPort, slowRequest(`2001:db8:7:${n.toString(16)}::1`)),
  )
  const post = (client: string) => gateway.post('{ site { market } }', {}, { headers: { 'x-forwarded-for': client } })
  for (const end = Date.now() + 10_000; (await post('2001:db8:7:ffff::1')).status !== 429; await sleep(20)) assert.ok(Date.now() < end)
  assert.equal((await post('2001:db8:8::1')).status, 200)
  for (const { socket } of slow) socket.destroy()
})

test('V-15 a header of an untrusted client does not choose whose request it is', async () => {
  const direct = await testGateway(database.pool)
  const slow = Array.from({ length: limitsPerNetwork.requests + 5 }, () =>
    open((direct.server.address() as AddressInfo).port, slowRequest('203.0.113.7')),
  )
  await until(() => slow.every(({ socket }) => !socket.connecting))
  const asked = await fetch(`${direct.url}/health/live`, { headers: { 'x-forwarded-for': '203.0.113.7' } })
  assert.equal(asked.status, 200)
  for (const { socket } of slow) socket.destroy()
  await direct.close()
})

test('V-15 direct connections beyond the limit of a network have one request answered with 429, beyond twice the limit none', async () => {
  const server = createServer((req, res) => void (admits(req, res) && res.end('welcome')))
  const admits = limitConnections(server, {
    hosts: createSiteHosts({ port: 3000 }),
    addressOf: () => '',
    sharesOf: (key) => (key ? [{ key, factor: 1 }] : []),
    limits: { connections: 3, requests: 9 },
    graceMs: 300,
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const first = Array.from({ length: 3 }, () => open(port))
  await until(() => first.every(({ socket }) => !socket.connecting))

  const refused = open(port, request)
  await refused.closed
  assert.match(refused.received(), /^HTTP\/1\.1 429 [^]*retry-after: 5[^]*<html lang="fr">/i)

  const silent = Array.from({ length: 3 }, () => open(port))
  await until(() => silent.every(({ socket }) => !socket.connecting))
  const cut = open(port, request)
  await cut.closed
  assert.equal(cut.received(), '')
  await Promise.all(silent.map(({ closed }) => closed))

  first[0]?.socket.write(request)
  await until(() => first[0]?.received().endsWith('welcome') ?? false)
  first[0]?.socket.destroy()
  await first[0]?.closed
  await sleep(50)
  const next = open(port, request)
  await until(() => next.received().endsWith('welcome'))
  for (const { socket } of [...first, next]) socket.destroy()
  server.close()
})
