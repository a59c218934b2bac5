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

test('after a withdrawal of consent the subscription ends in the browser, whether the call reaches the shop or not', async () => {
  let isSubscribed = true
  const subscription = { endpoint: 'https://fcm.googleapis.com/fcm/send/bob', unsubscribe: async () => !(isSubscribed = false) }
  define('navigator', { serviceWorker: { getRegistration: async () => ({ pushManager: { getSubscription: async () => subscription } }) } })
  const calls: RequestInit[] = []
  define('fetch', (_address: string, call: RequestInit) => {
    calls.push(call)
    return new Promise(() => undefined)
  })
  assert.deepEqual([await endPush(true), isSubscribed], [true, false])
  assert.deepEqual(
    calls.map(({ keepalive, signal }) => [keepalive, signal instanceof AbortSignal]),
    [[true, true]],
    'it is sent although the page closes, and ends in time',
  )
})
