import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { connect, Socket } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { test } from 'node:test'
import { createSiteHosts } from '@purlin/contract/site-settings.ts'
import { testDatabase } from '#platform/testing'
import { isOwnOrigin } from './own-origin.ts'
import { remoteAddressBehind } from './remote-address.ts'
import { testGateway } from './testing.ts'

const database = await testDatabase()
const gateway = await testGateway(database.pool)
test.after(() => gateway.close())

test('V-18 every gateway response forbids content sniffing and, unless stated otherwise, caching', async () => {
  for (const [method, address] of [
    ['POST', '/graphql'],
    ['GET', '/graphql?query={site{market}}'],
    ['GET', '/health/live'],
    ['GET', '/health/ready'],
    ['GET', '/metrics'],
    ['POST', '/webhooks/payment'],
    ['GET', '/api/v1/operator/jobs'],
    ['GET', '/nowhere'],
    ['GET', '/files/upload/x.png'],
  ] as const) {
    const { headers } = await fetch(gateway.url + address, { method })
    assert.equal(headers.get('x-content-type-options'), 'nosniff', address)
    assert.ok(headers.get('cache-control'), address)
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/, address)
  }
})

for (const [what, text, status] of [
  ['bytes that are no request', 'NONSENSE\r\n\r\n', 400],
  ['headers that are too large', `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['a request without a host', 'GET /health/live HTTP/1.1\r\n\r\n', 400],
  [
    'an expectation that nobody knows',
    'POST /graphql HTTP/1.1\r\nhost: localhost\r\nexpect: 200-everything\r\ncontent-length: 5000\r\n\r\n',
    417,
  ],
  ['an address with half a sign', 'GET /files/upload/%zz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n', 400],
  [
    'a part of an address that is too long',
    `GET /files/upload/${'x'.repeat(200)} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`,
    414,
  ],
] as const)
  test(`V-18 ${what} get ${status} with the headers of every other answer, and the connection closes`, async () => {
    const socket = connect(Number(new URL(gateway.url).port), 'localhost')
    socket.write(text)
    const received = await readText(socket)
    assert.match(received, new RegExp(`^HTTP/1\\.1 ${status} `))
    for (const line of [
      'x-content-type-options: nosniff',
      'cache-control: no-store',
      "content-security-policy: default-src 'none'",
      'connection: close',
    ])
      assert.ok(received.toLowerCase().includes(line), line)
    assert.match(received, /\r\n\{"error":"[A-Z][^"]+"\}(?:\r\n0\r\n\r\n)?$/)
  })

test('A34 V-18 http and https pages are different origins, and https at the proxy counts for a site configured as http', () => {
  const cookie = '__Host-purlin=x; purlin=x'
  const secure = createSiteHosts({ port: 443, realHosts: 'www.purlin.fr=fr/b2c' }).site('fr', 'b2c')
  const plain = createSiteHosts({ port: 3000 }).site('fr', 'b2c')
  const asked = (origin: string, host: string, site: typeof plain) => isOwnOrigin({ headers: { origin, host, cookie } }, site)
  assert.equal(asked('https://www.purlin.fr', 'www.purlin.fr', secure), true)
  assert.equal(asked('http://www.purlin.fr', 'www.purlin.fr', secure), false)
  assert.equal(asked('http://fr.localhost:4000', 'fr.localhost:4000', plain), true)
  assert.equal(asked('https://fr.localhost', 'fr.localhost', plain), true)
})

test('V-21 behind a trusted proxy a page counts the visitor’s address, and a forged forwarding header has no effect', () => {
  const from = (socket: string, forwarded?: string) => {
    const connection = Object.defineProperty(new Socket(), 'remoteAddress', { value: socket })
    const request = new IncomingMessage(connection)
    if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded
    return remoteAddressBehind('10.0.0.0/8, 203.0.113.7')(request)
  }
  assert.equal(from('10.1.2.3', '198.51.100.9'), '198.51.100.9')
  assert.equal(from('10.1.2.3', 'a-lie, 198.51.100.9'), '198.51.100.9')
  assert.equal(from('10.1.2.3', '198.51.100.9, 203.0.113.7'), '198.51.100.9')
  assert.equal(from('192.0.2.1', '198.51.100.9'), '192.0.2.1')
  assert.equal(from('10.1.2.3'), '10.1.2.3')
})
