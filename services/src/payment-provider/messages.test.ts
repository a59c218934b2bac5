import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { startMessenger } from './messages.ts'
import type { Store } from './store.ts'

test('F11 I9 a message whose delivery cannot be recorded, because the disk is full, is delivered again and ends no process', async () => {
  const received: string[] = []
  const shop = createServer((req, res) => {
    req.setEncoding('utf8').on('data', (part: string) => void received.push(part))
    req.on('end', () => void res.writeHead(200).end())
  })
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  const recorded = Promise.withResolvers<void>()
  let isFull = true
  let isQueued = true
  const store = {
    takeDue: () => (isQueued ? [{ id: '1', body: '{"id":"evt_1"}', copies: 1, attempts: 1 }] : []),
    delivered: () => {
      if (isFull) {
        isFull = false
        throw new Error('database or disk is full')
      }
      isQueued = false
      recorded.resolve()
    },
    postpone: () => undefined,
  } as unknown as Store
  const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/webhooks/payment`
  const messenger = startMessenger({ store, url, secret: 'secret-of-the-test', origin: () => 'http://pay.localhost' })
  messenger.wake()
  await new Promise((resolve) => setTimeout(resolve, 20))
  messenger.wake()
  // The messenger's own timer does not keep the test alive.
  const alive = setInterval(() => undefined, 100)
  await recorded.promise
  clearInterval(alive)
  await messenger.stop()
  shop.close()
  assert.deepEqual(received, ['{"id":"evt_1"}', '{"id":"evt_1"}'])
})
