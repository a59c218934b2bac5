import assert from 'node:assert/strict'
import { connect, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase } from '#platform/testing'
import { testGateway } from './testing.ts'

const database = await testDatabase()
const gateway = await testGateway(database.pool)

test('V-15 A67 of pipelined requests none is answered before the one ahead of it has been sent, and all are answered in order', async () => {
  const begun: string[] = []
  const isAsked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  gateway.mount((req, res) => {
    begun.push(req.url ?? '')
    if (req.url === '/first') {
      isAsked.resolve()
      void release.promise.then(() => res.end('first'))
    } else res.end(req.url)
    return true
  })
  const socket = connect((gateway.server.address() as AddressInfo).port, '127.0.0.1')
  const paths = ['/first', ...Array.from({ length: 100 }, (_, nth) => `/n${nth}`)]
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`).join(''))
  let received = ''
  socket.on('data', (chunk) => (received += String(chunk)))
  await isAsked.promise
  await sleep(150)
  assert.deepEqual(begun, ['/first'])
  release.resolve()
  while (!received.includes('/n99')) await sleep(20)
  socket.destroy()
  assert.deepEqual(
    [...received.matchAll(/first|\/n\d+/g)].map(([text]) => text),
    ['first', ...paths.slice(1)],
  )
})
