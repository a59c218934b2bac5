import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { cutSilentReaders, oneAtATime } from './slow-readers.ts'

const size = 16_000_000
let begun = 0
const server = createServer((req, res) =>
  oneAtATime(req, res, () => {
    begun++
    if (req.url === '/late') setTimeout(() => res.end('late'), 6000)
    else res.end(req.url === '/small' ? 'small' : Buffer.alloc(size))
  }),
)
cutSilentReaders(server, { maxStillMs: 3000, maxIdleMs: 4000, checkMs: 100 })
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => server.closeAllConnections())
after(() => server.close())
const { port } = server.address() as AddressInfo
const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`

test('V-15 A67 a reader of nothing is closed in time, and of its pipelined requests only the first is begun', async () => {
  begun = 0
  const closed = new Promise((resolve) => server.once('connection', (socket) => socket.once('close', () => resolve('closed'))))
  const client = connect(port, '127.0.0.1').on('error', () => undefined)
  client.pause().write(get('/').repeat(10))
  const outcome = await Promise.race([closed, sleep(20_000, 'open', { ref: false })])
  client.destroy()
  assert.deepEqual([outcome, begun], ['closed', 1])
})

test('V-15 a slow reader that goes on reading gets everything, though it takes longer than silence may', async () => {
  const client = connect(port, '127.0.0.1').on('error', () => undefined)
  client.write(get('/').replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'))
  const started = Date.now()
  let received = 0
  for await (const chunk of client) {
    received += (chunk as Buffer).length
    await sleep(16)
  }
  assert.ok(received > size, `${received} bytes`)
  assert.ok(Date.now() - started > 3000)
})

test('V-15 A67 a connection that sends line ends instead of requests is closed', async () => {
  const client = connect(port, '127.0.0.1').on('error', () => undefined)
  client.write(get('/small'))
  client.resume()
  const lines = setInterval(() => client.write('\r\n'), 100)
  const closed = new Promise((resolve) => client.once('close', () => resolve('closed')))
  const outcome = await Promise.race([closed, sleep(20_000, 'open', { ref: false })])
  clearInterval(lines)
  client.destroy()
  assert.equal(outcome, 'closed')
})

test('V-15 a connection with a request under way for long is not idle', async () => {
  const client = connect(port, '127.0.0.1').on('error', () => undefined)
  client.write(get('/late').replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'))
  let text = ''
  for await (const chunk of client) text += String(chunk)
  assert.match(text, /late$/)
})

test('pipelined requests of a client that reads are all answered in order', async () => {
  begun = 0
  const client = connect(port, '127.0.0.1').on('error', () => undefined)
  client.write(get('/small').repeat(5) + get('/small').replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'))
  let text = ''
  for await (const chunk of client) text += String(chunk)
  assert.deepEqual([text.match(/small/g)?.length, begun], [6, 6])
})

test('V-15 A67 requests pipelined on many connections wait in bounded memory, and give their places back', async () => {
  const patient = createServer((req, res) => oneAtATime(req, res, () => res.end(Buffer.alloc(size))))
  await new Promise<void>((resolve) => patient.listen(0, '127.0.0.1', resolve))
  after(() => patient.closeAllConnections())
  after(() => patient.close())
  let open = 0
  let accepted = 0
  patient.on('connection', (socket: Socket) => {
    open++
    accepted++
    socket.once('close', () => open--)
  })
  /** Opens connections that read nothing, and so never get the first of their responses; ends them once as many as wanted are left. */
  const pipeline = async (connections: number, isEnough: (left: number) => boolean) => {
    const expected = accepted + connections
    const sockets = Array.from({ length: connections }, () => {
      const socket = connect((patient.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined)
      socket.pause().write(get('/').repeat(200))
      return socket
    })
    while (accepted < expected) await sleep(10)
    await sleep(300)
    for (const end = Date.now() + 10_000; !isEnough(open) && Date.now() < end;) await sleep(10)
    const left = open
    for (const socket of sockets) socket.destroy()
    while (open > 0) await sleep(10)
    return left
  }
  const left = await pipeline(16, (open) => open < 12)
  assert.ok(left > 0 && left < 12, `${left} of 16`)
  while ((await pipeline(2, () => true)) < 2);
})
