import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '@purlin/web/testing.ts'
import { createStreams } from './streams.ts'

async function* endless(): AsyncGenerator<string> {
  for (;;) yield 'x'.repeat(100_000)
}
async function* short(): AsyncGenerator<string> {
  yield 'one '
  yield 'two'
}

const open: Socket[] = []
afterEach(() => open.splice(0).forEach((socket) => socket.destroy()))

async function serve(send: ReturnType<typeof createStreams>) {
  const server = await listen((req, res) => {
    const network = String(req.headers['x-test-network'])
    if (!send(res, { 'content-type': 'text/plain' }, req.url === '/short' ? short() : endless(), network)) res.writeHead(503).end()
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
  return { stall, ask }
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
  const { stall, ask } = await serve(createStreams({ atOnce: 1, checkMs: 300 }))
  await stall('slow')
  assert.equal((await ask('other')).status, 503)
  while ((await ask('other')).status !== 200) await sleep(10)
})
