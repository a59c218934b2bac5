import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { IncomingMessage, ServerResponse } from 'node:http'
import { connect, createServer, Socket, type AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { testDatabase } from '#platform/testing'
import type { Leave } from '../../foundation/platform/waiting-queues.ts'
import { holdBack } from './busy.ts'
import { testGateway } from './testing.ts'

const database = await testDatabase()
const gateway = await testGateway(database.pool)
after(() => gateway.close())

/** Until three have to wait or are refused: a busy event loop grants fewer. */
async function takeEveryTurn(): Promise<(Leave | null)[]> {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  const turns: (Leave | null)[] = []
  for (let waiting = 0; waiting < 3;) {
    const entering = gateway.enter('checkout', response)
    const turn = await Promise.race([entering, sleep(100, 'waits' as const)])
    if (turn !== 'waits' && turn !== null) turns.push(turn)
    else {
      waiting++
      if (turn === 'waits') void entering.then((leave) => leave?.())
    }
  }
  return turns
}

test('V-12 R-649 when every turn is taken for too long, API requests get 503 with Retry-After, and health answers', async () => {
  const turns = await takeEveryTurn()
  const [busy, health] = await Promise.all([gateway.post('{ site { market } }'), fetch(`${gateway.url}/health/live`)])
  assert.deepEqual([busy.status, health.status], [503, 200])
  assert.match(busy.headers.get('retry-after') ?? '', /^[345]$/)
  assert.equal(busy.headers.get('x-not-begun'), 'busy')
  for (const leave of turns) leave?.()
  assert.equal((await gateway.post('{ site { market } }')).status, 200)
})

test('V-12 a content type of files spares no request its turn', async () => {
  const turns = await takeEveryTurn()
  const url = `${gateway.url}/graphql?query=${encodeURIComponent('{ site { market } }')}`
  const asked = await Promise.all(['multipart/x', 'multipart/form-data'].map((type) => fetch(url, { headers: { 'content-type': type } })))
  assert.deepEqual(
    asked.map(({ status }) => status),
    [503, 503],
  )
  for (const leave of turns) leave?.()
})

test('V-12 V-15 F13 A67 forty senders of endless bodies keep nobody from a turn', async () => {
  const { port } = gateway.server.address() as AddressInfo
  const slow = Array.from({ length: 40 }, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    socket.write('POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{')
    return socket
  })
  const startedAt = performance.now()
  assert.equal((await gateway.post('{ site { market } }')).status, 200)
  // Did the bodies hold their turns, it would wait until they are given up.
  assert.ok(performance.now() - startedAt < 5000)
  for (const socket of slow) socket.destroy()
})

test('V-12 turns end with their requests, whatever became of these', async () => {
  for (let n = 0; n < 40; n++) await gateway.post(n % 2 ? '{ nothing }' : '{ site { market } }')
  for (let n = 0; n < 40; n++) await fetch(`${gateway.url}/api/v1/operator/jobs`)
  assert.equal((await gateway.post('{ site { market } }')).status, 200)
})

test('V-12 a connection that was refused is not read for three seconds, however often it asks, and then answered', async () => {
  const turns = await takeEveryTurn()
  const { port } = gateway.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (data) => (received += data.toString()))
  const ask = () => socket.write('GET /api/v1/consent/dialog.css HTTP/1.1\r\nhost: localhost\r\n\r\n')
  const responses = () => received.match(/HTTP\/1\.1 \d+/g) ?? []
  ask()
  while (responses().length === 0) await sleep(50)
  const refusedAt = performance.now()
  for (const leave of turns) leave?.()
  for (let n = 0; n < 5; n++) ask()
  while (responses().length < 6) await sleep(20)
  const waitedMs = performance.now() - refusedAt
  assert.equal(responses()[0], 'HTTP/1.1 503')
  assert.ok(waitedMs > 2500 && waitedMs < 5000, `${waitedMs.toFixed(0)} ms`)
  assert.ok(!responses().slice(1).includes('HTTP/1.1 503'), responses().join())
  socket.destroy()
})

test('V-12 V-13 a connection that is refused again and again holds no more memory each time', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const socket = new Socket()
  const listeners = () => socket.listenerCount('close')
  const before = listeners()
  for (let n = 0; n < 20; n++) {
    const response = new ServerResponse(new IncomingMessage(socket))
    holdBack(response)
    response.emit('finish')
    t.mock.timers.tick(3000)
  }
  assert.equal(listeners(), before)
})

test('V-12 a browser that is refused gets a page in its language that loads again by itself', async () => {
  const turns = await takeEveryTurn()
  const headers = { host: 'de.localhost', accept: 'text/html', 'sec-fetch-mode': 'navigate' }
  const { statusCode, headers: sent, body } = await gateway.app.inject({ url: '/api/v1/consent/dialog.css', headers })
  for (const leave of turns) leave?.()
  assert.equal(statusCode, 503)
  assert.match(body, /<html lang="de">/)
  assert.equal(sent['refresh'], sent['retry-after'])
  assert.match(String(sent['refresh']), /^[345]$/)
})

test('F14 a gateway that closes answers requests on connections that it was given, too', async () => {
  const closing = await testGateway(database.pool)
  const door = createServer({ allowHalfOpen: true }, (socket) => closing.server.emit('connection', socket)).listen(0)
  after(() => door.close())
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  const turns = await Promise.all(Array.from({ length: 32 }, () => closing.enter('checkout', response)))
  const asked = fetch(`http://localhost:${(door.address() as AddressInfo).port}/api/v1/consent/dialog.css`)
  await sleep(100)
  const closed = closing.close()
  await sleep(800)
  for (const leave of turns) leave?.()
  assert.equal((await asked).status, 200)
  await closed
})

test('V-17 F14 a gateway that announces its stop is not ready, and answers new connections as before until it closes', async () => {
  const closing = await testGateway(database.pool)
  const ready = () => fetch(`${closing.url}/health/ready`)
  assert.equal((await ready()).status, 200)
  closing.announceStop()
  const seen = await ready()
  assert.deepEqual([seen.status, await seen.json(), seen.headers.get('connection')], [503, { status: 'stopping' }, 'close'])
  const asked = await closing.post('{ site { market } }')
  assert.deepEqual([asked.status, asked.headers.get('connection')], [200, 'close'])
  await closing.close()
  await assert.rejects(ready())
})
