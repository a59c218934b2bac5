import assert from 'node:assert/strict'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { testGateway } from './testing.ts'

const database = await testDatabase()
const gateway = await testGateway(database.pool)
after(() => gateway.close())

test('V-12 R-649 when every turn is taken for too long, API requests get 503 with Retry-After, and health answers', async () => {
  const turns = await Promise.all(Array.from({ length: 32 }, () => gateway.enter('checkout')))
  const [busy, health] = await Promise.all([gateway.post('{ site { market } }'), fetch(`${gateway.url}/health/live`)])
  assert.deepEqual([busy.status, busy.headers.get('retry-after'), health.status], [503, '1', 200])
  for (const leave of turns) leave?.()
  assert.equal((await gateway.post('{ site { market } }')).status, 200)
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
  assert.ok(performance.now() - startedAt < 1000)
  for (const socket of slow) socket.destroy()
})

test('V-12 turns end with their requests, whatever became of these', async () => {
  for (let n = 0; n < 40; n++) await gateway.post(n % 2 ? '{ nothing }' : '{ site { market } }')
  for (let n = 0; n < 40; n++) await fetch(`${gateway.url}/api/v1/operator/jobs`)
  assert.equal((await gateway.post('{ site { market } }')).status, 200)
})
