/** Bodies that grow when they are unpacked, that speak another alphabet, or that never come. */
import assert from 'node:assert/strict'
import { type AddressInfo, connect } from 'node:net'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { testDatabase } from '#platform/testing'
import { testGateway } from './testing.ts'

const database = await testDatabase()
const gateway = await testGateway(database.pool)
after(() => gateway.close())
const { port } = gateway.server.address() as AddressInfo

interface Answer {
  status: number
  text: string
  tookMs: number
}

/** Sends the head and the body as they are, until the server closes the connection or responds. */
function send(head: readonly string[], body: Buffer | string = ''): Promise<Answer> {
  const startedAt = performance.now()
  let text = ''
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const socket = connect(port, '127.0.0.1', () => {
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    if (body.length > 0) socket.write(body)
  })
  const end = () => resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text, tookMs: performance.now() - startedAt })
  socket.on('error', () => undefined).on('close', end)
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    // "Continue" is not the response.
    if (/^HTTP\/1\.1 [2-5]/m.test(text)) socket.destroy()
  })
  return promise
}

const post = (path: string, type: string, ...headers: string[]) => [
  `POST ${path} HTTP/1.1`,
  'host: localhost',
  'sec-fetch-site: same-origin',
  `content-type: ${type}`,
  ...headers,
]
const query = JSON.stringify({ query: '{ site { market } }' })

test('a plain body is answered, so that the refusals below are about what is odd in them', async () => {
  const { status } = await send(post('/graphql', 'application/json', `content-length: ${query.length}`), query)
  assert.equal(status, 200)
})

const zeros = gzipSync(Buffer.alloc(50 * 1024 * 1024))
const routes = ['/graphql', '/api/v1/events', '/api/v1/register', '/webhooks/payment', '/uploads/x'] as const

for (const encoding of ['gzip', 'deflate', 'br', 'gzip, gzip', 'zstd'])
  test(`A67 a body packed with ${encoding} is refused and never unpacked`, async () => {
    const before = process.memoryUsage.rss()
    for (const path of routes) {
      const head = post(path, 'application/json', `content-encoding: ${encoding}`, `content-length: ${zeros.length}`)
      const { status, tookMs } = await send(head, zeros)
      assert.equal(status, 415, path)
      assert.ok(tookMs < 2000, `${path}: ${tookMs} ms`)
    }
    assert.ok(process.memoryUsage.rss() - before < 40_000_000, 'memory of what it unpacks to')
  })

test('A67 a small packed document is refused too: it is not read as an unpacked one', async () => {
  const packed = gzipSync(query)
  const { status } = await send(post('/graphql', 'application/json', 'content-encoding: gzip', `content-length: ${packed.length}`), packed)
  assert.equal(status, 415)
})

for (const charset of ['utf-7', 'utf-16le', 'utf-32', 'ibm037', 'x-user-defined'])
  test(`A67 a document in the charset ${charset} is refused`, async () => {
    const { status, text } = await send(post('/graphql', `application/json; charset=${charset}`, `content-length: ${query.length}`), query)
    assert.equal(status, 415, text)
  })

for (const charset of ['UTF-8', '"utf-8"', 'us-ascii', 'ISO-8859-1'])
  test(`a document in the charset ${charset} is read`, async () => {
    const { status } = await send(post('/graphql', `application/json; charset=${charset}`, `content-length: ${query.length}`), query)
    assert.equal(status, 200)
  })

test('A67 a client that is told to continue and sends no body is closed in time', async () => {
  // Its body has fifteen seconds.
  const waiting = await Promise.all(
    routes.slice(0, 3).map((path) => send(post(path, 'application/json', 'expect: 100-continue', 'content-length: 5000'))),
  )
  for (const { status, text, tookMs } of waiting) {
    assert.ok([0, 100, 400, 408].includes(status), text)
    assert.ok(tookMs < 20_000, `${tookMs} ms`)
  }
})

test('A67 an expectation that nobody knows is refused at once', async () => {
  const { status, text, tookMs } = await send(post('/graphql', 'application/json', 'expect: 200-everything', 'content-length: 5000'))
  assert.equal(status, 417)
  assert.match(text, /x-content-type-options: nosniff/)
  assert.ok(tookMs < 2000)
})
