import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { formAction } from '@purlin/web/form-action.ts'
import { redirect } from '@purlin/web/outcomes.ts'
import * as v from 'valibot'
import type { ShopContext, ShopPage } from '../shell/context.ts'
import { testStorefront } from './testing.ts'

let isBusy = false
const entered: string[] = []
let underWay = 0
let quotaSeconds: number | null = null
const page = (text: string) => ({ load: async () => ({ data: null, title: text }), Page: () => text }) as unknown as ShopPage
const action = formAction(v.object({ line: v.optional(v.string(), '') }), async (_context: ShopContext) => {
  assert.equal(underWay, 1, 'its form is handled in a turn')
  return redirect(303, '/cart')
})
const { server } = await testStorefront({
  pages: { './category/category-page.tsx': page('drills'), './cart/cart-page.tsx': { ...page('cart'), action } as unknown as ShopPage },
  door: {
    admit: async () => quotaSeconds,
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

const asForm = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' }

test('V-12 forms and whatever else is posted wait as their pages do', async () => {
  isBusy = true
  entered.length = 0
  for (const path of ['/cart', '/drills-11', '/nowhere']) {
    const { status, headers } = await server.ask(path, { method: 'POST', headers: asForm, body: 'line=1' })
    assert.deepEqual([status, headers['retry-after']], [503, '4'], path)
  }
  const foreign = await server.ask('/cart', { method: 'POST', headers: { ...asForm, 'sec-fetch-site': 'cross-site' }, body: 'line=1' })
  assert.equal(foreign.status, 503)
  assert.deepEqual(entered, ['cart', 'listing', 'listing', 'cart'])
  isBusy = false
  assert.equal((await server.ask('/cart', { method: 'POST', headers: asForm, body: 'line=1' })).status, 303)
  assert.equal(underWay, 0)
})

test('V-12 V-15 a form takes its turn once it has arrived: a slow sender keeps none', async (t) => {
  isBusy = false
  entered.length = 0
  const socket = connect(server.port, '127.0.0.1')
  t.after(() => socket.destroy())
  let received = ''
  socket.on('data', (data) => (received += data.toString()))
  const head = Object.entries(asForm).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST /cart HTTP/1.1\r\nhost: localhost\r\n${head.join('')}content-length: 6\r\n\r\nline`)
  await sleep(200)
  assert.deepEqual(entered, [])
  socket.write('=1')
  while (!received) await sleep(10)
  assert.match(received, /^HTTP\/1\.1 303 /)
  assert.deepEqual(entered, ['cart'])
})

test('V-12 sitemaps wait as listings do and count as pages; robots.txt always goes out', async (t) => {
  t.after(() => (quotaSeconds = null))
  isBusy = true
  entered.length = 0
  for (const path of ['/sitemap.xml', '/sitemaps/categories.xml', '/sitemaps/products-1.xml', '/feeds/google.xml']) {
    const { status, headers } = await server.ask(path)
    assert.deepEqual([status, headers['retry-after'], headers['cache-control']], [503, '4', 'no-store'], path)
  }
  assert.deepEqual(new Set(entered), new Set(['listing']))
  for (const path of ['/robots.txt', '/manifest.json', '/speculation-rules.json']) assert.equal((await server.ask(path)).status, 200, path)
  isBusy = false
  quotaSeconds = 42
  const { status, headers } = await server.ask('/sitemap.xml')
  assert.deepEqual([status, headers['retry-after'], headers['cache-control']], [429, '42', 'no-store'])
  assert.equal((await server.ask('/robots.txt')).status, 200)
  assert.equal(underWay, 0)
})
