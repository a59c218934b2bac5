import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { blankOrder, moveLines } from '#orders'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { addCustomer, addStaff, signIn } from '../../people/accounts/testing.ts'
import { fillShop } from '../../selling/checkout/testing.ts'
import { handlers } from './jobs.ts'
import { paidOrder } from './testing.ts'

/** The seller's calls and the buyer's view of them, through the gateway. */

const database = await testDatabase()
await fillShop(database)
const gateway = await testGateway(database.pool)
const cookieOf = async (who: Parameters<typeof signIn>[1]) => `__Host-purlin=${(await signIn(database.db, who)).token}`
const staff = async (of: Parameters<typeof addStaff>[1]) =>
  `__Host-purlin-staff=${(await signIn(database.db, { staffId: (await addStaff(database.db, of)).id, family: 'staff' })).token}`
const role = [{ role: 'seller' as const, market: null }]
const seller = await staff({ sellerId: 1, roles: role })
const otherSeller = await staff({ sellerId: 2, roles: role })
const support = await staff({ roles: [{ role: 'support', market: null }] })
const customer = await addCustomer(database.db)
const buyer = await cookieOf({ customerId: customer.id })
const asCustomer = {
  principal: { kind: 'customer' as const, id: customer.id, email: 'ann@example.com', name: 'Ann', market: 'gb' as const },
  session: { id: randomUUID() },
}

interface Answer {
  outcome: { state: string; parcelId: string | null } | null
  refusal: { reason: string } | null
}
async function call(cookie: string, field: string): Promise<Answer | string> {
  const { body } = await gateway.post(`mutation { answer: ${field} { outcome { state parcelId } refusal { reason } } }`, {}, { cookie })
  const { data, errors } = body as { data?: { answer: Answer }; errors?: { extensions: { code: string } }[] }
  return errors?.[0]?.extensions.code ?? data?.answer ?? 'nothing'
}
const stateOf = (answer: Answer | string) => (typeof answer === 'string' ? answer : (answer.outcome?.state ?? answer.refusal?.reason))
const parcelOf = (answer: Answer | string) => (typeof answer === 'string' ? '' : (answer.outcome?.parcelId ?? ''))
const shipped = (id: string, lines: string, tracking: string) =>
  `shipSale(sellerOrderId: "${id}", lines: ${lines}, carrier: { name: "Royal Mail", trackingNumber: "${tracking}" }, idempotencyKey: "${randomUUID()}")`

interface Seen {
  state: string
  sellerOrders: { id: string; state: string }[]
  shipments: {
    sellerOrderId: string
    parcels: {
      id: string
      state: string
      carrier: string
      trackingNumber: string
      token: string
      contents: { quantity: number }[]
      events: { kind: string }[]
    }[]
    history: { label: string }[]
    due: { kind: string } | null
  }[]
}
async function seen(orderId: string, cookie = buyer): Promise<Seen> {
  const { body } = await gateway.post(
    `{ customerOrder(id: "${orderId}") { state sellerOrders { id state } shipments { sellerOrderId history { label } due { kind }
      parcels { id state carrier trackingNumber token contents { quantity } events { kind } } } } }`,
    {},
    { cookie },
  )
  return (body as unknown as { data: { customerOrder: Seen } }).data.customerOrder
}

test('R-131 R-482 a seller accepts, ships in two parcels and reports their arrival; the buyer sees each step', async () => {
  const { orderId, part, offers } = await paidOrder(database, [[1, 3]], asCustomer)
  const id = part(1)
  await runWork(database, handlers, [])
  assert.equal((await seen(orderId)).shipments[0]?.due?.kind, 'accept')
  assert.equal(stateOf(await call(seller, `acceptSale(sellerOrderId: "${id}")`)), 'ACCEPTED')
  const first = await call(seller, shipped(id, `[{ offerId: "${offers[0]}", quantity: 2 }]`, 'RM 111 222 GB'))
  assert.equal(stateOf(first), 'PREPARING')
  assert.equal((await seen(orderId)).state, 'PART_SHIPPED')
  const second = await call(seller, shipped(id, `[{ offerId: "${offers[0]}", quantity: 1 }]`, 'RM333444GB'))
  assert.equal(stateOf(second), 'SHIPPED')
  assert.equal(stateOf(await call(seller, `reportParcel(parcelId: "${parcelOf(first)}", kind: DELIVERED)`)), 'SHIPPED')
  assert.equal(stateOf(await call(seller, `reportParcel(parcelId: "${parcelOf(second)}", kind: DELIVERED)`)), 'DELIVERED')
  const order = await seen(orderId)
  assert.equal(order.state, 'DELIVERED')
  assert.deepEqual(
    order.shipments[0]?.parcels.map(({ state, carrier, trackingNumber, contents, events }) => [
      state,
      carrier,
      trackingNumber,
      contents[0]?.quantity,
      events.map(({ kind }) => kind),
    ]),
    [
      ['DELIVERED', 'Royal Mail', 'RM111222GB', 2, ['DELIVERED', 'COLLECTED']],
      ['DELIVERED', 'Royal Mail', 'RM333444GB', 1, ['DELIVERED', 'COLLECTED']],
    ],
  )
  assert.deepEqual(
    order.shipments[0]?.history.map(({ label }) => label),
    [
      '3 items accepted by the seller',
      '2 items handed to the carrier',
      '1 item handed to the carrier',
      '2 items delivered',
      '1 item delivered',
    ],
  )
})

test('V-60 a deadline disappears from the order and from the seller’s lists once nothing waits for it', async () => {
  const { orderId, part, offers } = await paidOrder(database, [[1, 1]], asCustomer)
  const id = part(1)
  const due = async () => (await seen(orderId)).shipments[0]?.due?.kind ?? null
  const listed = async (kind: 'accept' | 'ship') => {
    const { body } = await gateway.post(`{ salesDue(kind: ${kind}) { items { sellerOrderId } } }`, {}, { cookie: seller })
    const { data } = body as unknown as { data: { salesDue: { items: { sellerOrderId: string }[] } } }
    return data.salesDue.items.some((item) => item.sellerOrderId === id)
  }
  const lists = async () => [await listed('accept'), await listed('ship')]
  await runWork(database, handlers, [])
  assert.deepEqual([await due(), await lists()], ['accept', [true, false]])
  await call(seller, `acceptSale(sellerOrderId: "${id}")`)
  assert.equal(await due(), null, 'even before the worker has heard of it')
  await runWork(database, handlers, [])
  assert.deepEqual([await due(), await lists()], ['ship', [false, true]])
  const sent = await call(seller, shipped(id, `[{ offerId: "${offers[0]}", quantity: 1 }]`, 'RM909192GB'))
  await runWork(database, handlers, [])
  assert.deepEqual([await due(), await lists()], [null, [false, false]])
  await call(seller, `reportParcel(parcelId: "${parcelOf(sent)}", kind: DELIVERED)`)
  await runWork(database, handlers, [])
  assert.deepEqual([await due(), await lists()], [null, [false, false]])

  const refused = await paidOrder(database, [[1, 1]], asCustomer)
  await runWork(database, handlers, [])
  await call(seller, `refuseSale(sellerOrderId: "${refused.part(1)}", reason: OUT_OF_STOCK)`)
  await runWork(database, handlers, [])
  const { rows } = await database.pool.query('select kind from fulfilment.due where seller_order_id = $1', [refused.part(1)])
  assert.deepEqual(rows, [])
})

test('R-481 a customer order is paid, part shipped, shipped, delivered and closed, or cancelled, as its buyer sees it', async () => {
  const { orderId, part, offers } = await paidOrder(database, [[1, 2]], asCustomer)
  const id = part(1)
  const states = [(await seen(orderId)).state]
  const note = async () => states.push((await seen(orderId)).state)
  await call(seller, `acceptSale(sellerOrderId: "${id}")`)
  const parcels: string[] = []
  for (const tracking of ['RM777001GB', 'RM777002GB']) {
    parcels.push(parcelOf(await call(seller, shipped(id, `[{ offerId: "${offers[0]}", quantity: 1 }]`, tracking))))
    await note()
  }
  for (const parcel of parcels) await call(seller, `reportParcel(parcelId: "${parcel}", kind: DELIVERED)`)
  await note()
  const pieces = [{ offerId: offers[0] ?? '', quantity: 2, from: 'delivered' as const, to: 'closed' as const }]
  await database.command({}, (scope) =>
    moveLines(scope, { sellerOrderId: id, actor: 'system', reason: 'return-period-over', moves: pieces }),
  )
  await note()
  assert.deepEqual(states, ['PAID', 'PART_SHIPPED', 'SHIPPED', 'DELIVERED', 'CLOSED'])
  const refused = await paidOrder(database, [[1, 1]], asCustomer)
  await call(seller, `refuseSale(sellerOrderId: "${refused.part(1)}", reason: OTHER)`)
  assert.equal((await seen(refused.orderId)).state, 'CANCELLED')
})

test('R-491 an order id is letters, digits, underscores and hyphens; one with other signs finds nothing', async () => {
  const { orderId } = await paidOrder(database, [[1, 1]], asCustomer)
  assert.match(orderId, /^[A-Za-z0-9_-]+$/)
  const ask = async (id: string) =>
    (await gateway.post('query ($id: ID!) { customerOrder(id: $id) { id } }', { id }, { cookie: buyer })).body as unknown as {
      data: { customerOrder: { id: string } | null }
    }
  assert.equal((await ask(orderId)).data.customerOrder?.id, orderId)
  for (const wrong of [`${orderId} `, `${orderId}/`, `${orderId}'`, `${orderId}%`, `../${orderId}`, `${orderId}\n`, 'ä'.repeat(17), ''])
    assert.equal((await ask(wrong)).data.customerOrder, null, wrong)
})

test('R-136 A11 the tracking link needs no sign-in and names nothing of the recipient but the town', async () => {
  const { orderId, part, offers } = await paidOrder(database, [[1, 2]], asCustomer)
  await call(seller, `acceptSale(sellerOrderId: "${part(1)}")`)
  await call(seller, shipped(part(1), `[{ offerId: "${offers[0]}", quantity: 2 }]`, 'RM555666GB'))
  const token = (await seen(orderId)).shipments[0]?.parcels[0]?.token ?? ''
  const ask = async (of: string) =>
    (
      await gateway.post(
        `{ trackedParcel(token: "${of}") { carrier trackingNumber state stateLabel sellerName city pieceCount events { label place } } }`,
        {},
        {},
      )
    ).body as unknown as { data: { trackedParcel: { city: string; pieceCount: number; sellerName: string; state: string } | null } }
  const { trackedParcel } = (await ask(token)).data
  assert.deepEqual([trackedParcel?.state, trackedParcel?.pieceCount, trackedParcel?.sellerName], ['ON_THE_WAY', 2, 'Seller 1'])
  const { rows } = await database.pool.query<{ address: Record<string, string> }>(
    'select address from orders.customer_order where id = $1',
    [orderId],
  )
  const { city, firstName, lastName, line1, postcode, phone } = rows[0]?.address ?? {}
  assert.equal(trackedParcel?.city, city)
  const said = JSON.stringify(await ask(token))
  for (const secret of [firstName, lastName, line1, postcode, phone, 'ann@example.com', orderId])
    assert.ok(secret && !said.includes(secret), String(secret))
  for (const wrong of ['', 'x', token.slice(1), `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`, orderId])
    assert.equal((await ask(wrong)).data.trackedParcel, null, wrong)
  const age = (days: number) =>
    database.pool.query(`update fulfilment.parcel set created_at = now() - $2 * interval '1 day' where customer_order_id = $1`, [
      orderId,
      days,
    ])
  await age(364)
  assert.ok((await ask(token)).data.trackedParcel)
  await age(366)
  assert.equal((await ask(token)).data.trackedParcel, null, 'a year later')
  await age(1)
  await database.command({}, (scope) => blankOrder(scope.db, orderId))
  assert.equal((await ask(token)).data.trackedParcel, null, 'its buyer has been erased')
})

test('A16 only the seller’s own staff handle a sale; to everybody else it does not exist or is forbidden', async () => {
  const { part } = await paidOrder(database, [[1, 1]], asCustomer)
  const calls = ['acceptSale', 'refuseSale', 'cancelSale'].map(
    (name) => `${name}(sellerOrderId: "${part(1)}"${name === 'acceptSale' ? '' : ', reason: OTHER'})`,
  )
  for (const field of [
    ...calls,
    `shipSale(sellerOrderId: "${part(1)}", carrier: { name: "Royal Mail", trackingNumber: "RM123456" }, idempotencyKey: "${randomUUID()}")`,
  ]) {
    assert.equal(stateOf(await call(otherSeller, field)), 'unknown-order', field)
    for (const [cookie, code] of [
      [buyer, 'UNAUTHENTICATED'],
      [support, 'FORBIDDEN'],
      ['', 'UNAUTHENTICATED'],
    ] as const)
      assert.equal(stateOf(await call(cookie, field)), code, field)
  }
  const sale = async (cookie: string) =>
    (await gateway.post(`{ sale(sellerOrderId: "${part(1)}") { state address { city } lines { quantity } } }`, {}, { cookie }))
      .body as unknown as {
      data: { sale: { state: string } | null } | null
    }
  assert.equal((await sale(seller)).data?.sale?.state, 'PENDING')
  assert.equal((await sale(support)).data?.sale?.state, 'PENDING')
  assert.equal((await sale(otherSeller)).data?.sale, null)
  assert.equal((await sale(buyer)).data?.sale ?? null, null)
})

test('R-129 goods for a pick-up point show the seller the point, and those who follow the parcel its town', async () => {
  const { part } = await paidOrder(database, [[1, 1]], asCustomer)
  const point = { id: 'p1', name: 'Quayside Parcel Shop', line1: '3 Wharf Street', postcode: 'BS1 4QF', city: 'Bristol', country: 'gb' }
  await database.pool.query('update orders.seller_order set pick_up_point = $2 where id = $1', [part(1), point])
  const { body } = await gateway.post(
    `{ sale(sellerOrderId: "${part(1)}") { address { firstName lastName company line1 line2 postcode city } } }`,
    {},
    { cookie: seller },
  )
  const { address } = (body as { data: { sale: { address: Record<string, string | null> } } }).data.sale
  assert.deepEqual(
    [address['company'], address['line1'], address['line2'], address['postcode'], address['city']],
    [point.name, point.line1, null, point.postcode, point.city],
  )
  assert.ok(address['lastName'])
})

test('a repeated call with the same key ships once, and pieces beyond those accepted are refused', async () => {
  const { orderId, part, offers } = await paidOrder(database, [[1, 4]], asCustomer)
  await call(seller, `acceptSale(sellerOrderId: "${part(1)}")`)
  const field = shipped(part(1), `[{ offerId: "${offers[0]}", quantity: 1 }]`, 'RM777888GB')
  const [one, two] = await Promise.all([call(seller, field), call(seller, field)])
  assert.equal(parcelOf(one), parcelOf(two))
  assert.equal((await seen(orderId)).shipments[0]?.parcels.length, 1)
  for (const [lines, tracking, reason] of [
    [`[{ offerId: "${offers[0]}", quantity: 4 }]`, 'RM1', 'carrier-invalid'],
    [`[{ offerId: "${offers[0]}", quantity: 4 }]`, 'RM12345', 'not-in-this-state'],
    [`[{ offerId: "${offers[0]}", quantity: -1 }]`, 'RM12345', 'quantity-not-positive'],
    ['[{ offerId: "1", quantity: 1 }]', 'RM12345', 'unknown-line'],
    [`[{ offerId: "${offers[0]}", quantity: 1 }]`, 'RM777888GB', 'tracking-number-taken'],
  ] as const)
    assert.equal(stateOf(await call(seller, shipped(part(1), lines, tracking))), reason)
  assert.equal((await seen(orderId)).shipments[0]?.parcels.length, 1)
})

test('a number that one seller has reported keeps no other seller from reporting it for a parcel of theirs', async () => {
  const { part, offers } = await paidOrder(
    database,
    [
      [1, 1],
      [2, 1],
    ],
    asCustomer,
  )
  for (const [index, who] of [seller, otherSeller].entries()) {
    await call(who, `acceptSale(sellerOrderId: "${part(index + 1)}")`)
    const lines = `[{ offerId: "${offers[index]}", quantity: 1 }]`
    assert.equal(stateOf(await call(who, shipped(part(index + 1), lines, 'RM515253GB'))), 'SHIPPED')
  }
})

test('the buyer is told by mail of what was accepted, shipped with a tracking link, delivered, and what will not come', async () => {
  const { orderId, part, offers } = await paidOrder(
    database,
    [
      [1, 1],
      [1, 1],
    ],
    asCustomer,
  )
  await call(seller, `acceptSale(sellerOrderId: "${part(1)}", lines: [{ offerId: "${offers[0]}", quantity: 1 }])`)
  await call(seller, `refuseSale(sellerOrderId: "${part(1)}", reason: OUT_OF_STOCK)`)
  const sent = await call(seller, shipped(part(1), `[{ offerId: "${offers[0]}", quantity: 1 }]`, 'RM999000GB'))
  await call(seller, `reportParcel(parcelId: "${parcelOf(sent)}", kind: DELIVERED)`)
  await runWork(database, handlers, [])
  const { rows } = await database.pool.query<{ template: string; text: string }>(
    `select template, body_text as text from mail.mail where key like $1 order by id`,
    [`seller-order:${part(1)}:%`],
  )
  assert.deepEqual(
    rows.map(({ template }) => template),
    ['shipment-accepted', 'shipment-not-coming', 'shipment-shipped', 'shipment-delivered'],
  )
  const { token } = (await seen(orderId)).shipments[0]?.parcels[0] ?? {}
  assert.ok(rows[2]?.text.includes(`/track-my-parcel/${token}`) && rows[2].text.includes('RM999000GB'))
  assert.ok(rows[1]?.text.includes('out of stock'))
})

test('a seller’s open work is listed most urgent first, page by page, and nobody else’s', async () => {
  const own = await staff({ sellerId: 3, roles: role })
  for (let n = 0; n < 3; n += 1) await paidOrder(database, [[3, 1]], asCustomer)
  await runWork(database, handlers, [])
  await database.pool.query(
    `insert into fulfilment.due (seller_order_id, kind, customer_order_id, seller_id, market, due_at, next_at)
     select 'PTEST0000-' || n, 'accept', 'PTEST0000', 3, 'gb', date_trunc('hour', now()) + n * interval '1 hour', now() + interval '9 days' from generate_series(1, 60) n`,
  )
  const page = async (after: string | null, cookie = own) =>
    (
      (
        await gateway.post(
          `query ($after: String) { salesDue(kind: accept, after: $after) { next items { sellerOrderId dueAt } } }`,
          { after },
          { cookie },
        )
      ).body as unknown as { data: { salesDue: { next: string | null; items: { sellerOrderId: string; dueAt: string }[] } } }
    ).data.salesDue
  const first = await page(null)
  const second = await page(first.next)
  assert.deepEqual([first.items.length, second.items.length, second.next], [50, 13, null])
  const all = [...first.items, ...second.items]
  assert.equal(new Set(all.map(({ sellerOrderId }) => sellerOrderId)).size, 63)
  assert.deepEqual(
    all.map(({ dueAt }) => dueAt),
    all.map(({ dueAt }) => dueAt).toSorted(),
  )
  assert.ok((await page(null, otherSeller)).items.every(({ sellerOrderId }) => sellerOrderId.endsWith('-2')))
})
