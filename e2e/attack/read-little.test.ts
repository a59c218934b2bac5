import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { cutSilentReaders } from '@purlin/server/foundation/platform/slow-readers.ts'
import { readLittle, readSlowly, timeUntilCut } from './read-little.ts'

/** The attack on a server of its own: it does what it says. */

const page = `<html>${'x'.repeat(3000)}</html>`
const large = Buffer.alloc(8 * 2 ** 20)

async function serve(t: TestContext, watch: (server: Server) => void = () => undefined) {
  let requests = 0
  const server = createServer((req, res) => {
    requests++
    res.end(req.url === '/large' ? large : req.url === '/half' ? '<html>' : page)
  })
  watch(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, requests: () => requests }
}
const host = 'shop.example'

test('A67 readers of nothing and slow readers hold their connections until the end, and slow ones read 5 KB a second', async (t) => {
  const { port, requests } = await serve(t)
  const from = ['192.0.2.1']
  const held = await readLittle({ port, host, paths: ['/large'], from, silent: 4, pipelining: 2, slow: 3, until: Date.now() + 1500 })
  assert.deepEqual([held.opened, held.open], [9, 9])
  assert.ok(held.bytesRead > 0 && held.bytesRead <= 3 * 512 * 16, `${held.bytesRead} bytes`)
  assert.ok(requests() > 9, 'pipelined requests arrive as well')
})

test('A67 a connection that is cut is seen to be, and one that is not lives until the end', async (t) => {
  const cut = await serve(t, (server) => cutSilentReaders(server, { maxStillMs: 500, checkMs: 50 }))
  const times = await timeUntilCut({ port: cut.port, host, path: '/large', newAddress: () => '192.0.2.1' }, 3, 10_000)
  assert.ok(
    times.every((ms) => ms < 9000),
    times.join(),
  )
  const kept = await serve(t)
  const [ms = 0] = await timeUntilCut({ port: kept.port, host, path: '/large', newAddress: () => '192.0.2.1' }, 1, 1500)
  assert.ok(ms >= 1400, `${ms}`)
})

test('A67 a page that is read at 5 KB a second is whole, and half a page or none is a problem', async (t) => {
  const { port } = await serve(t)
  const whole = await readSlowly(port, host, '/', '192.0.2.1')
  assert.deepEqual([whole.problem, whole.bytes], [null, page.length])
  assert.ok(whole.ms >= 500, `${whole.ms}`)
  assert.match((await readSlowly(port, host, '/half', '192.0.2.1')).problem ?? '', /200 with 6 bytes/)
  assert.match((await readSlowly(1, host, '/', '192.0.2.1')).problem ?? '', /ECONNREFUSED/)
})
