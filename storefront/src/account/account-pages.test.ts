import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../routes.ts'
import { money } from '../testing/goods.ts'
import { pageOf, shopWith, textOf } from '../testing/shop.ts'
import { accountRooms } from './account-rooms.ts'

const cookie = 'who=consumer'
const order = (id: string, more: object = {}) => ({
  id,
  sellerOrderId: `${id}-7`,
  state: 'shipped',
  stateLabel: 'On its way',
  placedAt: '2026-11-20T10:00:00Z',
  total: money(120),
  sellerNames: ['Nordwerk', 'Südholz'],
  lineCount: 6,
  lines: [{ title: 'Drill', imageUrl: '/pictures/p/1/main.svg', quantity: 2 }],
  ...more,
})
const myOrders = (more: object = {}) => ({ orders: [order('P0000000000000001')], total: 1, page: 1, pages: 1, ...more })

test('R-091 R-197 the first page of the account greets, shows the latest orders, and links to every page there is', async () => {
  const { status, body } = await pageOf({ myOrders: myOrders() }, '/customer-area', { cookie })
  assert.equal(status, 200)
  const text = textOf(body)
  for (const part of ['Hello, Ann Lee', 'Latest orders', 'Order of 20 November 2026', 'On its way', '£120.00', 'Nordwerk and Südholz'])
    assert.ok(text.includes(part), part)
  for (const { href } of accountRooms({ mode: 'b2c' })) assert.ok(body.includes(`href="${href}"`), href)
  assert.match(body, /name="robots" content="noindex"/)
})

test('V-21 the account links to no page that is not built', () => {
  for (const mode of ['b2c', 'b2b'] as const)
    for (const { name } of accountRooms({ mode })) assert.ok('page' in (routes.find((row) => row.name === name) ?? {}), name)
})

test('R-091 an account without orders says so and leads to the shop', async () => {
  const { body } = await pageOf({ myOrders: myOrders({ orders: [], total: 0, pages: 0 }) }, '/customer-area', { cookie })
  assert.ok(textOf(body).includes('No orders yet'))
})

test('R-092 R-228 the list of orders leads to each of them and says what is not shown', async () => {
  const { status, body } = await pageOf({ myOrders: myOrders() }, '/orders', { cookie })
  assert.equal(status, 200)
  assert.match(body, /href="\/orders\/customer-order\/P0000000000000001\/shipment\/P0000000000000001-7"/)
  assert.ok(textOf(body).includes('+ 5 more'))
})

test('R-093 pages of the list have addresses; the first has one, one that is not there is not found', async () => {
  const shop = await shopWith({ myOrders: ({ page }: { page: number }) => myOrders({ page, pages: 3, total: 24 }) })
  try {
    assert.equal((await shop.ask('/orders/page/2', { cookie })).status, 200)
    assert.deepEqual(shop.asked.at(-1), { page: 2, filter: 'all' })
    const first = await shop.ask('/orders/page/1?state=open', { cookie })
    assert.deepEqual([first.status, first.headers['location']], [301, '/orders?state=open'])
    for (const address of ['/orders/page/9', '/orders/page/0', '/orders/page/x', '/orders/page/99999'])
      assert.equal((await shop.ask(address, { cookie })).status, 404, address)
  } finally {
    await shop.close()
  }
})

test('a filter is asked of the gateway; one that is not known shows all', async () => {
  const shop = await shopWith({ myOrders: myOrders({ orders: [], total: 0, pages: 0 }) })
  try {
    const { body } = await shop.ask('/orders?state=cancelled', { cookie })
    assert.deepEqual(shop.asked.at(-1), { page: 1, filter: 'cancelled' })
    assert.ok(textOf(body).includes('No orders like this'))
    await shop.ask('/orders?state=draft', { cookie })
    assert.deepEqual(shop.asked.at(-1), { page: 1, filter: 'all' })
  } finally {
    await shop.close()
  }
})

test('R-478 whoever has not signed in is led to sign in and back; staff of sellers have no such page', async () => {
  for (const address of ['/customer-area', '/orders', '/orders?state=open']) {
    const reply = await pageOf({ myOrders: myOrders() }, address, { cookie: 'who=guest' })
    assert.deepEqual([reply.status, reply.headers['location']], [302, `/login?callbackUrl=${encodeURIComponent(address)}`])
    assert.equal((await pageOf({ myOrders: myOrders() }, address, { cookie: 'who=seller' })).status, 404)
  }
})
