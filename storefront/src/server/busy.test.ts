import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ShopPage } from '../shell/context.ts'
import { testStorefront } from './testing.ts'

let isBusy = false
const entered: string[] = []
let underWay = 0
const page = (text: string) => ({ load: async () => ({ data: null, title: text }), Page: () => text }) as unknown as ShopPage
const { server } = await testStorefront({
  pages: { './category/category-page.tsx': page('drills'), './cart/cart-page.tsx': page('cart') },
  door: {
    busyAnswer: () => ({ headers: { 'retry-after': '4', 'cache-control': 'no-store' }, body: 'Wir sind gleich wieder da.' }),
    enter: async (kind) => {
      entered.push(kind)
      if (isBusy) return null
      underWay++
      return () => void underWay--
    },
  },
})

test('V-12 R-649 when the shop is too busy, cached pages go out and every other page is 503 with Retry-After at once', async () => {
  isBusy = false
  for (let n = 0; n < 3; n++) assert.equal((await server.ask('/drills-11')).status, 200)
  isBusy = true
  assert.equal((await server.ask('/drills-11')).status, 200)
  for (const path of ['/cart', '/drills-12', '/nowhere']) {
    const { status, headers, body } = await server.ask(path)
    assert.deepEqual([status, headers['retry-after'], headers['cache-control']], [503, '4', 'no-store'], path)
    assert.equal(body, 'Wir sind gleich wieder da.')
  }
  assert.equal(underWay, 0, 'every turn has ended')
})

test('V-12 the kind of a page follows from its row: checkout before cart before product before listing', async () => {
  isBusy = true
  entered.length = 0
  for (const path of ['/order', '/cart', '/p/drill-1', '/drills-13', '/nowhere']) await server.ask(path)
  assert.deepEqual(entered, ['checkout', 'cart', 'product', 'listing', 'listing'])
})

test('V-12 pages that wait for the payment provider take no turn, so that a slow provider delays nobody else', async () => {
  isBusy = true
  entered.length = 0
  for (const path of ['/order/P0000000000000000/secure-payment', '/spartacux/payment?payment_intent=pi_1'])
    assert.notEqual((await server.ask(path)).status, 503, path)
  assert.deepEqual(entered, [])
})

test('V-12 a failing page leaves its turn, too', async () => {
  isBusy = false
  const { server: failing } = await testStorefront({
    pages: { './cart/cart-page.tsx': { ...page('cart'), load: async () => Promise.reject(new Error('broken')) } as unknown as ShopPage },
    door: {
      enter: async () => {
        underWay++
        return () => void underWay--
      },
    },
  })
  assert.equal((await failing.ask('/cart')).status, 500)
  assert.equal(underWay, 0)
})
