import assert from 'node:assert/strict'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { callApi } from './api-client.ts'

let sent: RequestInit[] = []
let answers: Response[] = []
const busy = () => new Response('', { status: 503, headers: { 'retry-after': '3', 'x-not-begun': 'busy' } })

beforeEach(() => {
  sent = []
  const dataset = { market: 'gb', mode: 'b2c', version: '1', timeout: '30000' }
  Object.assign(globalThis, { document: { documentElement: { dataset } }, location: new URL('http://gb.localhost/cart') })
  mock.method(globalThis, 'fetch', async (_url: URL, init: RequestInit) => {
    init.signal?.throwIfAborted()
    sent.push(init)
    return answers.shift() ?? new Response('{}')
  })
  mock.timers.enable({ apis: ['setTimeout'] })
})
afterEach(() => {
  mock.timers.reset()
  mock.restoreAll()
  Reflect.deleteProperty(globalThis, 'document')
  Reflect.deleteProperty(globalThis, 'location')
})

/** Lets what has been awaited go on, then moves the clock. */
async function pass(ms: number): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  mock.timers.tick(ms)
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}

test('V-12 a call that the shop was too busy to begin is sent again when the shop says, later by chance, with the same body', async () => {
  answers = [busy(), busy()]
  mock.method(Math, 'random', () => 0.5)
  const called = callApi('/graphql', { body: { query: 'x' }, method: 'POST' })
  await pass(3_499)
  assert.equal(sent.length, 1)
  await pass(1)
  assert.equal(sent.length, 2, 'half a second after the time told')
  await pass(3_999)
  assert.equal(sent.length, 2)
  await pass(1)
  assert.equal((await called).status, 200)
  assert.deepEqual(new Set(sent.map(({ body }) => body)), new Set(['{"query":"x"}']))
})

test('V-12 after three refusals the caller is told, and a refusal after work has begun is never repeated', async () => {
  answers = [busy(), busy(), busy()]
  const called = callApi('/graphql')
  await pass(10_000)
  await pass(10_000)
  assert.equal((await called).status, 503)
  assert.equal(sent.length, 3)

  answers = [new Response('', { status: 503, headers: { 'retry-after': '1' } })]
  assert.equal((await callApi('/graphql')).status, 503)
  assert.equal(sent.length, 4)
})

test('V-12 a caller that stops waiting sends nothing more', async () => {
  answers = [busy()]
  const leaving = new AbortController()
  const called = callApi('/graphql', { signal: leaving.signal })
  await pass(0)
  leaving.abort(new Error('left'))
  const failed = assert.rejects(called, /left/)
  await pass(10_000)
  await failed
  assert.equal(sent.length, 1)
})
