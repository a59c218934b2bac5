import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '@purlin/web/testing.ts'
import { createStreams } from './streams.ts'

async function* endless(made: () => void): AsyncGenerator<string> {
  for (;;) {
    made()
    yield 'x'.repeat(100_000)
  }
}
async function* short(): AsyncGenerator<string> {
  yield 'one '
  yield 'two'
}

const open: Socket[] = []
afterEach(() => open.splice(0).forEach((socket) => socket.destroy()))

async function serve(send: ReturnType<typeof createStreams>) {
  let made = 0
  const server = await listen((req, res) => {
    const network = String(req.headers['x-test-network'])
    if (!send(res, { 'content-type': 'text/plain' }, req.url === '/short' ? short() : endless(() => made++), network))
      res.writeHead(503).end()
  })
  /** A reader who takes the head of the response and nothing more. */
  const stall = async (network: string) => {
    const socket = connect(server.port, '127.0.0.1').on('error', () => undefined)
    open.push(socket)
    socket.write(`GET / HTTP/1.1\r\nhost: localhost\r\nx-test-network: ${network}\r\n\r\n`)
    await once(socket, 'data')
    socket.pause()
    return socket
  }
  const ask = (network: string) => server.ask('/short', { headers: { 'x-test-network': network } })
  return { stall, ask, made: () => made }
}

test('V-15 one network reads one long file at a time, and others read theirs meanwhile', async () => {
  const { stall, ask } = await serve(createStreams({ atOnce: 3 }))
  const socket = await stall('first')
  assert.equal((await ask('first')).status, 503)
  const { status, body } = await ask('second')
  assert.deepEqual([status, body], [200, 'one two'])
  assert.equal((await ask('second')).status, 200, 'again, after the first has ended')
  const others = [await stall('third'), await stall('fourth')]
  assert.equal((await ask('fifth')).status, 503, 'all places are taken')
  for (const each of [socket, ...others]) each.destroy()
  while ((await ask('fifth')).status !== 200) await sleep(10)
})

test('V-15 a reader who takes nothing is cut off, and its place is free again', async () => {
  const { stall, ask } = await serve(createStreams({ atOnce: 1, checkMs: 100 }))
  await stall('slow')
  assert.equal((await ask('other')).status, 503)
  while ((await ask('other')).status !== 200) await sleep(10)
})

test('V-15 a reader who pauses for half a minute and reads on keeps its place; one who stops loses it', async (t) => {
  const { stall, ask, made } = await serve(createStreams({ atOnce: 1 }))
  t.mock.timers.enable({ apis: ['setInterval', 'Date'], now: Date.now() })
  const reader = await stall('pausing')
  for (let round = 0; round < 4; round++) {
    reader.resume()
    for (const before = made(); made() < before + 60;) await sleep(1)
    reader.pause()
    // Until the buffers between the two are full.
    for (let before = -1; made() > before; await sleep(100)) before = made()
    for (let check = 0; check < 3; check++) t.mock.timers.tick(10_000)
    await sleep(20)
    assert.equal((await ask('other')).status, 503, `round ${round}`)
  }
  for (let check = 0; check < 6; check++) t.mock.timers.tick(10_000)
  while ((await ask('other')).status !== 200) await sleep(10)
})
