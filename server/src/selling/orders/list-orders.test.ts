import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testCustomer, testGuest, testMember } from '@purlin/contract/testing.ts'
import type { Principal } from '@purlin/contract/principal.ts'
import { newId } from '#platform'
import { testDatabase } from '#platform/testing'
import { customerOrderStates, newOrderId, type CustomerOrderState } from './index.ts'
import { listOrders, orderFilters, statesOf, type OrderFilter } from './list-orders.ts'

const database = await testDatabase({ upTo: 'orders' })

interface Sold {
  owner: string
  companyId?: string
  market?: string
  state?: CustomerOrderState
  daysAgo?: number
  articles?: number
  seller?: string
  promise?: string
}

/** An order as placing leaves it. */
async function addOrder({
  owner,
  companyId,
  market = 'gb',
  state = 'paid',
  daysAgo = 1,
  articles = 1,
  seller = 'Nordwerk',
  promise,
}: Sold): Promise<string> {
  const id = newOrderId()
  const { pool } = database
  await pool.query(
    `insert into orders.customer_order (id, owner, company_id, cart_id, market, mode, currency, tax_key, email, state, address,
      billing_address, total, placed_at) values ($1, $2, $3, $4, $5, 'b2c', 'GBP', 'with_vat', 'a@example.com', $6, '{}', '{}', 12000,
      case when $6 = 'draft' then null else now() - $7 * interval '1 day' end)`,
    [id, owner, companyId ?? null, newId(), market, state, daysAgo],
  )
  await pool.query(
    `insert into orders.seller_order (id, customer_order_id, seller_id, state, seller, delivery_kind, delivery_options, goods, delivery,
      discount, total, seller_discount, commission, commission_vat) values ($2, $1, 7, 'pending', $3, 'home', $4, 12000, 0, 0, 12000, 0, 0, 0)`,
    [
      id,
      `${id}-7`,
      JSON.stringify({ name: seller }),
      JSON.stringify(promise === undefined ? [] : [{ kind: 'home', promise, daysMin: 1, daysMax: 3 }]),
    ],
  )
  for (let position = 0; position < articles; position++)
    await pool.query(
      `insert into orders.order_line (customer_order_id, offer_id, seller_order_id, product_id, position, quantity, unit_price, total,
        discount, net, vat, vat_rate_bp, tax_key, snapshot) values ($1, $3::integer, $2, $3::integer, $3::integer, 1, 100, 100, 0, 80, 20, 2000, 'with_vat', $4)`,
      [id, `${id}-7`, position, JSON.stringify({ title: `Drill ${position}`, imageUrl: `/p/${position}.svg` })],
    )
  return id
}

let people = 0
const someone = () => testCustomer({ id: `00000000-0000-7000-8000-0000000001${String(people++).padStart(2, '0')}` })
const listed = (
  principal: Principal,
  asked: Partial<{ page: number; filter: OrderFilter; search: string }> = {},
  market: 'gb' | 'fr' = 'gb',
) => listOrders(database.scope({ principal, market }), { page: 1, filter: 'all', ...asked })

test('R-092 a customer finds their orders, newest first, with enough detail to recognise them', async () => {
  const ann = someone()
  const older = await addOrder({ owner: `c:${ann.id}`, daysAgo: 9 })
  const newer = await addOrder({ owner: `c:${ann.id}`, daysAgo: 2, articles: 6, state: 'shipped' })
  const { orders, total, pages } = await listed(ann)
  assert.deepEqual([orders.map(({ id }) => id), total, pages], [[newer, older], 2, 1])
  const [first] = orders
  assert.deepEqual(
    [first?.stateLabel, first?.total.formatted, first?.sellerNames, first?.lineCount, first?.lines.length, first?.sellerOrderId],
    ['On its way', '£120.00', ['Nordwerk'], 6, 4, `${newer}-7`],
  )
})

test('A1 R-092 orders of others, of guests, of another market, and drafts are not in the list', async () => {
  const ann = someone()
  const mine = await addOrder({ owner: `c:${ann.id}` })
  await addOrder({ owner: `c:${ann.id}`, state: 'draft' })
  const french = await addOrder({ owner: `c:${ann.id}`, market: 'fr' })
  await addOrder({ owner: `c:${someone().id}` })
  await addOrder({ owner: `s:${ann.id}` })
  assert.deepEqual(
    (await listed(ann)).orders.map(({ id }) => id),
    [mine],
  )
  assert.deepEqual(
    (await listed(ann, {}, 'fr')).orders.map(({ id }) => id),
    [french],
  )
  assert.deepEqual((await listed(testGuest())).total, 0, 'a stranger has none')
})

test('R-092 V-51 admin and approver of a company find all orders of the company, a buyer their own', async () => {
  const company = { id: newId() }
  const as = (role: 'admin' | 'approver' | 'buyer') => testMember({ id: newId(), role, company })
  const [admin, approver, buyer] = [as('admin'), as('approver'), as('buyer')]
  const id = await addOrder({ owner: `c:${buyer.id}`, companyId: company.id })
  const other = await addOrder({ owner: `c:${newId()}`, companyId: company.id })
  await addOrder({ owner: `c:${newId()}`, companyId: newId() })
  for (const who of [admin, approver])
    assert.deepEqual((await listed(who)).orders.map((order) => order.id).toSorted(), [id, other].toSorted(), who.role)
  assert.deepEqual(
    (await listed(buyer)).orders.map((order) => order.id),
    [id],
  )
})

test('R-093 ten orders per page; a page beyond the last is empty, and absurd page numbers are not looked up', async () => {
  const ann = someone()
  const ids: string[] = []
  for (let day = 1; day <= 12; day++) ids.push(await addOrder({ owner: `c:${ann.id}`, daysAgo: day }))
  const [first, second, third, far] = [
    await listed(ann),
    await listed(ann, { page: 2 }),
    await listed(ann, { page: 3 }),
    await listed(ann, { page: 2_000_000_000 }),
  ]
  assert.deepEqual([first, second].map(({ orders }) => orders.map(({ id }) => id)).flat(), ids)
  assert.deepEqual([first.pages, third.orders.length, far.orders.length, far.page], [2, 0, 0, 1000])
})

test('R-092 orders are found by words of their products, their seller or their number, in any state that is asked for', async () => {
  const ann = someone()
  const mine = `c:${ann.id}`
  const [drills, odd] = [
    await addOrder({ owner: mine, daysAgo: 3, articles: 2 }),
    await addOrder({ owner: mine, seller: '100% Süd_holz', state: 'cancelled' }),
  ]
  await addOrder({ owner: `c:${someone().id}`, seller: '100% Süd_holz' })
  const found = async (search: string, filter: OrderFilter = 'all') => (await listed(ann, { search, filter })).orders.map(({ id }) => id)
  assert.deepEqual(await found('drill werk'), [drills], 'each word in a product or in the seller')
  assert.deepEqual(await found(' NORDWERK  drill '), [drills])
  assert.deepEqual(await found(drills.toLowerCase()), [drills])
  assert.deepEqual(await found('süd_holz 100%'), [odd], 'no character is a wildcard')
  assert.deepEqual([await found('%'), await found('drill_'), await found('sawblade')], [[odd], [], []])
  assert.deepEqual([await found('drill', 'cancelled'), await found('drill', 'open')], [[odd], [drills]])
  assert.deepEqual(await found('drill'), [odd, drills])
  assert.equal((await listed(ann, { search: 'nordwerk' })).total, 1)
})

test('R-092 an order under way tells the days promised for it', async () => {
  const ann = someone()
  await addOrder({ owner: `c:${ann.id}`, promise: 'Arrives Tue 24 Nov' })
  await addOrder({ owner: `c:${ann.id}`, promise: 'Arrives Mon 2 Nov', state: 'cancelled', daysAgo: 20 })
  const { pool } = database
  assert.deepEqual(
    (await listed(ann)).orders.map(({ deliveryPromise }) => deliveryPromise),
    ['Arrives Tue 24 Nov', null],
  )
  await pool.query(
    `update orders.seller_order set state = 'cancelled' where customer_order_id in
    (select id from orders.customer_order where owner = $1)`,
    [`c:${ann.id}`],
  )
  assert.equal((await listed(ann)).orders[0]?.deliveryPromise, null)
})

test('every state but draft is in exactly one filter', () => {
  const named = orderFilters.filter((filter) => filter !== 'all').flatMap(statesOf)
  assert.deepEqual(named.toSorted(), customerOrderStates.filter((state) => state !== 'draft').toSorted())
  assert.deepEqual(statesOf('all').toSorted(), named.toSorted())
})
