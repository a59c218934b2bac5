import '../../../scripts/tsx-hook.mjs'
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { GatewayAnswer } from '@purlin/contract/gateway.ts'
import { cartAction } from '../cart/cart-action.ts'
import { CartCountDocument, RemoveFromCartDocument } from '../generated/documents.ts'
import type { ShopContext, ShopPage } from '../shell/context.ts'
import { testStorefront } from './testing.ts'

/** How a page handles the gateway's responses, and what is logged. */

let answer: GatewayAnswer = { data: null }
let mutated: GatewayAnswer = { data: null }
const logged: unknown[] = []
const page: ShopPage = {
  load: async (context: ShopContext) => {
    const { site } = await context.client.query(CartCountDocument)
    return { data: null, title: `${site.cartCount} in the cart` }
  },
  Page: () => 'A page',
  action: cartAction,
}
const { server } = await testStorefront({
  pages: { './cart/cart-page.tsx': page },
  gateway: ({ documentId }) =>
    documentId === CartCountDocument.id ? answer : documentId === RemoveFromCartDocument.id ? mutated : { data: { categoryTree: [] } },
  log: { info() {}, warn: (facts) => void logged.push(facts), error: (facts) => void logged.push(facts) },
})
after(() => server.close())

async function pageWith(given: GatewayAnswer): Promise<{ status: number; body: string; errors: unknown[] }> {
  answer = given
  logged.length = 0
  const { status, body } = await server.ask('/cart', { host: 'gb.localhost' })
  const errors = logged.flatMap((facts) => (typeof facts === 'object' && facts !== null && 'errors' in facts ? [facts.errors] : []))
  return { status, body, errors }
}
const data = { site: { cartCount: 3 } }

test('R-646 a page accepts no partial data: an answer with data and errors is failed', async () => {
  const whole = await pageWith({ data })
  assert.equal(whole.status, 200)
  assert.match(whole.body, /3 in the cart/)
  const partial = await pageWith({ data, errors: [{ message: 'The count broke' }] })
  assert.equal(partial.status, 500)
  assert.doesNotMatch(partial.body, /3 in the cart|The count broke/)
})

test('a page goes on without a system that the shop can do without, and fails with it if anything else fails, or if there is nothing else', async () => {
  const optional = { message: 'Not available', extensions: { status: 503, isOptional: true } }
  const without = await pageWith({ data, errors: [optional, optional] })
  assert.equal(without.status, 200)
  assert.match(without.body, /3 in the cart/)
  assert.deepEqual(without.errors, [[optional, optional]], 'it is logged')
  assert.equal((await pageWith({ data, errors: [optional, { message: 'The count broke' }] })).status, 503)
  assert.equal((await pageWith({ data: { segments: null }, errors: [optional] })).status, 503)
  assert.equal((await pageWith({ data: null, errors: [optional] })).status, 503)
})

test('R-648 errors of the gateway are logged with the document they are about, except messages about a 404 status', async () => {
  const broke = { message: 'The count broke' }
  const missing = { message: 'Request failed with status code 404' }
  assert.deepEqual((await pageWith({ data, errors: [broke, missing] })).errors, [[broke]])
  assert.deepEqual((await pageWith({ data, errors: [missing] })).errors, [])
  assert.deepEqual((await pageWith({ data: null, errors: [{ message: 'item 14041 broke' }] })).errors, [[{ message: 'item 14041 broke' }]])
})

test('R-641 R-642 R-643 R-644 R-647 a page is shown when data exists, 504 for a timeout, 500 for any other error, 404 for nothing', async () => {
  const cases: [GatewayAnswer, number][] = [
    [{ data }, 200],
    [{ data: null, errors: [{ message: 'The upstream timeout was reached' }] }, 504],
    [{ data: null, errors: [{ message: 'Timeout' }] }, 504],
    [{ data: null, errors: [{ message: 'The count broke' }] }, 500],
    [{ data: null }, 404],
    [{}, 404],
    [{ data: {} }, 404],
  ]
  for (const [given, status] of cases) assert.equal((await pageWith(given)).status, status, JSON.stringify(given))
})

test('A44 a sender beyond a quota writes no line, and a failure of another kind one without a stack', async () => {
  const failed = (status: number, message = 'Too many requests'): GatewayAnswer => ({
    data: null,
    errors: [{ message, extensions: { status } }],
  })
  assert.equal((await pageWith(failed(429))).status, 429)
  assert.deepEqual(logged, [])
  assert.equal((await pageWith(failed(503, 'x'.repeat(5000)))).status, 503)
  assert.equal(logged.length, 2)
  const lines = logged.map((facts) => JSON.stringify(facts))
  assert.ok(
    lines.every((line) => line.length < 700 && !line.includes('.ts:')),
    lines.join('\n'),
  )
})

test('A44 a flood of pages that fail writes a bounded number of lines, and other messages are not lost with it', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 120_000 })
  answer = { data: null, errors: [{ message: 'Not available', extensions: { status: 503 } }] }
  logged.length = 0
  for (let n = 0; n < 150; n++) await server.ask('/cart', { host: 'gb.localhost' })
  assert.equal(logged.length, 240)
  assert.equal((await pageWith({ data: null, errors: [{ message: 'The count broke' }] })).status, 500)
  assert.equal(logged.length, 1, 'a bug of ours has a quota of its own')
  t.mock.timers.tick(60_000)
  await pageWith(answer)
  assert.equal(logged.length, 2)
})

test('R-645 a mutation with neither data nor error is no failure: the form leads on', async () => {
  answer = { data }
  mutated = { data: null }
  const body = 'do=remove&offerId=12'
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://gb.localhost' }
  const post = () => server.ask('/cart', { host: 'gb.localhost', method: 'POST', headers, body })
  assert.equal((await post()).status, 303)
  mutated = { data: null, errors: [{ message: 'The count broke' }] }
  assert.equal((await post()).status, 500)
})

test('R-649 a page has the status the gateway names: 429 with Retry-After, 424 for a failed upstream, 409 for what has changed', async () => {
  for (const [status, wait] of [
    [429, '60'],
    [424, undefined],
    [409, undefined],
  ] as const) {
    answer = { data: null, errors: [{ message: 'No', extensions: { status } }] }
    const reply = await server.ask('/cart', { host: 'gb.localhost' })
    assert.deepEqual([reply.status, reply.headers['retry-after']], [status, wait])
  }
})
