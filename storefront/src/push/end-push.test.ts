import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endPush } from './end-push.ts'

const define = (name: string, value: unknown) => Object.defineProperty(globalThis, name, { value, configurable: true })

test('a subscription whose end the shop has not confirmed stays, so that the next page can name it again', async () => {
  const endpoint = 'https://fcm.googleapis.com/fcm/send/ann'
  let isSubscribed = true
  const subscription = { endpoint, unsubscribe: async () => !(isSubscribed = false) }
  const pushManager = { getSubscription: async () => (isSubscribed ? subscription : null) }
  define('navigator', { serviceWorker: { getRegistration: async () => ({ pushManager }) } })
  const named: unknown[] = []
  const answers = [
    () => Promise.reject(new TypeError('offline')),
    () => new Response(null, { status: 503 }),
    () => new Response(null, { status: 204 }),
  ]
  define('fetch', async (_address: string, { body }: { body: string }) => {
    named.push((JSON.parse(body) as { endpoint: string }).endpoint)
    return answers[named.length - 1]?.()
  })
  for (const [ended, left] of [
    [false, true],
    [false, true],
    [true, false],
    [true, false],
  ])
    assert.deepEqual([await endPush(), isSubscribed], [ended, left])
  assert.deepEqual(named, [endpoint, endpoint, endpoint])
})
