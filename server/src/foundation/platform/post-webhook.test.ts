import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { postWebhook } from './post-webhook.ts'

let response = ''
const program = createServer((socket) => {
  socket.on('error', () => undefined)
  socket.once('data', () => (response ? socket.write(response) : socket.destroy()))
})
await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve))
after(() => void program.close())
const url = `http://127.0.0.1:${(program.address() as AddressInfo).port}/`

for (const [what, head] of [
  ['switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
  ['does not speak HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['closes the connection', ''],
] as const)
  test(`an endpoint that ${what} has failed, at once`, async () => {
    response = head
    const posted = await Promise.race([postWebhook(url, '{}', {}, { isLocal: true }), sleep(3000, 'never', { ref: false })])
    assert.deepEqual(posted, { status: null, error: 'connection-failed' })
  })

test('an endpoint that sends early hints has the status of its last response', async () => {
  response = 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n'
  assert.deepEqual(await postWebhook(url, '{}', {}, { isLocal: true }), { status: 204, error: null })
})
