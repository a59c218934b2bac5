import assert from 'node:assert/strict'
import { type ServerResponse, createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { createForeground } from './foreground.ts'

const long = Buffer.alloc(20_000_000)
/** Answers to a reader who takes nothing; returns what is under way while it is answered, and after that. */
async function underWayOf(answer: (res: ServerResponse) => void) {
  const foreground = createForeground()
  const { promise, resolve } = Promise.withResolvers<ServerResponse>()
  const server = createServer((req, res) => {
    foreground.enter(req, res)
    resolve(res)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  after(() => server.close())
  after(() => socket.destroy())
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  const res = await promise
  const during = foreground.underWay()
  answer(res)
  return { counts: [during, foreground.underWay()], res, foreground }
}

test('V-01 a request is in the foreground until its answer is made, however slowly it is read', async () => {
  const { counts, res } = await underWayOf((res) => res.end(long))
  assert.deepEqual(counts, [1, 0])
  assert.equal(res.writableFinished, false)
})

test('V-01 an answer that is read in parts is no longer in the foreground', async () => {
  const { counts, res } = await underWayOf((res) => void Readable.from([long, long]).pipe(res))
  assert.deepEqual(counts, [1, 0])
  assert.equal(res.writableFinished, false)
})

test('V-01 a request whose client is gone is in the foreground no longer', async () => {
  const { counts, res, foreground } = await underWayOf(() => undefined)
  assert.deepEqual(counts, [1, 1])
  const closed = new Promise((resolve) => res.once('close', resolve))
  res.destroy()
  await closed
  assert.equal(foreground.underWay(), 0)
})
