import '../../../scripts/tsx-hook.mjs'
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { GatewayAnswer } from '@purlin/contract/gateway.ts'
import { CartCountDocument } from '../generated/documents.ts'
import type { ShopContext, ShopPage } from '../shell/context.ts'
import { testStorefront } from './testing.ts'

/** How a page handles the gateway's responses, and what is logged. */

let answer: GatewayAnswer = { data: null }
const logged: unknown[] = []
const page: ShopPage = {
  load: async (context: ShopContext) => {
    const { site } = await context.client.query(CartCountDocument)
    return { data: null, title: `${site.cartCount} in the cart` }
  },
  Page: () => 'A page',
}
const { server } = await testStorefront({
  pages: { './cart/cart-page.tsx': page },
  gateway: ({ documentId }) => (documentId === CartCountDocument.id ? answer : { data: { categoryTree: [] } }),
  log: { info() {}, warn() {}, error: (facts) => void logged.push(facts) },
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

test('R-648 errors of the gateway are logged with the document they are about, except messages about a 404 status', async () => {
  const broke = { message: 'The count broke' }
  const missing = { message: 'Request failed with status code 404' }
  assert.deepEqual((await pageWith({ data, errors: [broke, missing] })).errors, [[broke]])
  assert.deepEqual((await pageWith({ data, errors: [missing] })).errors, [])
  assert.deepEqual((await pageWith({ data: null, errors: [{ message: 'item 14041 broke' }] })).errors, [[{ message: 'item 14041 broke' }]])
})
