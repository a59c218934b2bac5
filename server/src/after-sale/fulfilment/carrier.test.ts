import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { signatureOf, type Fate } from '@purlin/services/parcel-carrier/index.ts'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { addCustomer, addStaff, signIn } from '../../people/accounts/testing.ts'
import { agreeToSms } from '../../people/profile/testing.ts'
import { useSmsProvider } from '../../people/sms/provider-of-shop.ts'
import { fillShop } from '../../selling/checkout/testing.ts'
import { aggregatorCarrier } from './aggregator-carrier.ts'
import { connectAutomaticSellers } from './automatic-sellers.ts'
import { useCarrier } from './carrier-of-shop.ts'
import { handlers, jobs, schedules } from './jobs.ts'
import { paidOrder } from './testing.ts'
import { testCarrier } from './test-carrier.ts'

/** The shop's carrier, reached over HTTP by its API and heard by its signed messages. */

const database = await testDatabase()
await fillShop(database)
const gateway = await testGateway(database.pool)

const day = 86_400_000
const fates: Fate[] = []
let clock = Date.now() - 3 * day
let isSilent = false
const { server: post, settings: carrier } = await testCarrier(gateway.url, {
  now: () => clock,
  fateOf: () => fates.shift() ?? 'delivered',
  isSilent: () => isSilent,
})
test.after(() => post.close())
const work = () => runWork(database, handlers, jobs)

const staff = async (of: Parameters<typeof addStaff>[1]) =>
  `__Host-purlin-staff=${(await signIn(database.db, { staffId: (await addStaff(database.db, of)).id, family: 'staff' })).token}`
const role = [{ role: 'seller' as const, market: null }]
const seller = await staff({ sellerId: 1, roles: role })
const otherSeller = await staff({ sellerId: 2, roles: role })
const customer = await addCustomer(database.db)
const buyer = `__Host-purlin=${(await signIn(database.db, { customerId: customer.id })).token}`
const asCustomer = {
  principal: { kind: 'customer' as const, id: customer.id, email: 'ann@example.com', name: 'Ann', market: 'gb' as const },
  session: { id: randomUUID() },
}

interface Sent {
  orderId: string
  parcelId: string
  state: string
}
async function ask<Data>(query: string, cookie: string): Promise<Data> {
  const { body } = await gateway.post(query, {}, { cookie })
  return (body as unknown as { data: Data }).data
}

/** A paid order of two pieces that the seller gives to the shop's carrier. */
async function ship(fate: Fate = 'delivered'): Promise<Sent> {
  const { orderId, part } = await paidOrder(database, [[1, 2]], asCustomer)
  await ask(`mutation { acceptSale(sellerOrderId: "${part(1)}") { outcome { state } } }`, seller)
  const { answer } = await ask<{ answer: { outcome: { parcelId: string; state: string } } }>(
    `mutation { answer: shipSale(sellerOrderId: "${part(1)}", idempotencyKey: "${randomUUID()}") { outcome { state parcelId } } }`,
    seller,
  )
  fates.push(fate)
  await work()
  fates.length = 0
  return { orderId, ...answer.outcome }
}

interface Seen {
  orderState: string
  saleState: string
  state: string
  trackingNumber: string
  token: string
  isLate: boolean
  kinds: string[]
  places: (string | null)[]
}
async function seen({ orderId }: Sent): Promise<Seen> {
  const { customerOrder } = await ask<{
    customerOrder: {
      state: string
      sellerOrders: { state: string }[]
      shipments: { parcels: (Seen & { events: { kind: string; place: string | null }[] })[] }[]
    }
  }>(
    `{ customerOrder(id: "${orderId}") { state sellerOrders { state } shipments { parcels { state trackingNumber token isLate events { kind place } } } } }`,
    buyer,
  )
  const parcel = customerOrder.shipments[0]?.parcels[0]
  assert.ok(parcel)
  const { events, ...shown } = parcel
  const saleState = customerOrder.sellerOrders[0]?.state ?? ''
  return {
    ...shown,
    saleState,
    orderState: customerOrder.state,
    kinds: events.map(({ kind }) => kind),
    places: events.map(({ place }) => place),
  }
}
async function pass(days: number): Promise<void> {
  clock += days * day
  await post.tick()
  await work()
}
const label = (id: string, cookie: string) => fetch(`${gateway.url}/api/v1/seller/parcels/${id}/label`, { headers: { cookie } })
const tell = async (body: string, headers: Record<string, string>) => {
  const answer = await fetch(`${gateway.url}/webhooks/carrier`, { method: 'POST', body, headers })
  return { status: answer.status, received: ((await answer.json()) as { received?: string }).received }
}
const signed = (body: string, { at = new Date(), path = '/webhooks/carrier', secret = carrier.webhookSecret } = {}) =>
  signatureOf(secret, { path, body, at })
const news = (trackingNumber: string, detail: string, status = 'in_transit', id = `evt_${randomUUID()}`) =>
  JSON.stringify({
    id,
    description: 'tracker.updated',
    result: {
      tracking_code: trackingNumber,
      tracking_details: [{ status, status_detail: detail, datetime: new Date(clock).toISOString() }],
    },
  })

test('a parcel is booked with the weight of its pieces and their box, which decides on the rate', async () => {
  const { parcelId } = await ship()
  const authorization = `Basic ${Buffer.from(`${carrier.apiKey}:`).toString('base64')}`
  const answer = await fetch(`${carrier.url}/v2/shipments/${parcelId}`, { headers: { authorization } })
  const { rates } = (await answer.json()) as { rates: { rate: string }[] }
  // Two pieces of a kilogram and a box: more than two kilograms, less than five.
  assert.deepEqual(
    rates.map(({ rate }) => rate),
    ['5.90'],
  )
})

test('R-482 a parcel of the shop’s carrier is booked, collected and delivered, and the buyer sees each step', async () => {
  const sent = await ship()
  assert.equal(sent.state, 'PREPARING')
  const booked = await seen(sent)
  assert.match(booked.trackingNumber, /^PP\d{12}GB$/)
  assert.deepEqual([booked.state, booked.kinds], ['PREPARING', ['REGISTERED']])
  await pass(1)
  const onItsWay = await seen(sent)
  assert.deepEqual([onItsWay.orderState, onItsWay.state], ['SHIPPED', 'ON_THE_WAY'])
  await pass(5)
  const arrived = await seen(sent)
  assert.deepEqual([arrived.orderState, arrived.state], ['DELIVERED', 'DELIVERED'])
  assert.deepEqual(arrived.kinds.toSorted(), ['COLLECTED', 'DELIVERED', 'IN_TRANSIT', 'OUT_FOR_DELIVERY', 'REGISTERED'])
  const { trackedParcel } = await ask<{ trackedParcel: { state: string; city: string } }>(
    `{ trackedParcel(token: "${arrived.token}") { state city } }`,
    '',
  )
  assert.equal(trackedParcel.state, 'DELIVERED')
  const { rows } = await database.pool.query<{ template: string }>(
    `select template from mail.mail where key like $1 and template like 'shipment-%' order by id`,
    [`seller-order:${sent.orderId}-1:%`],
  )
  assert.deepEqual(
    rows.map(({ template }) => template),
    ['shipment-accepted', 'shipment-shipped', 'shipment-delivered'],
  )
})

test('a parcel in the van is announced by push and text message to a customer who has agreed: once a day, and not when it is history', async () => {
  useSmsProvider({
    send: async () => ({ reference: randomUUID() }),
    findSent: async () => [],
    remove: async () => undefined,
    read: () => undefined,
  })
  try {
    await agreeToSms((operation) => database.command(asCustomer, operation), '+44 7700900123')
    const sent = await ship()
    const { trackingNumber } = await seen(sent)
    const announced = async () => {
      const texts = await database.pool.query<{ body: string }>(
        `select body from sms.message where body like '%arrives today%' order by id`,
      )
      const pushed = await database.pool.query<{ title: string }>(
        `select payload ->> 'title' as title from platform.job where name = 'push.send-to' and key like '%-out-%'`,
      )
      return { texts: texts.rows.map(({ body }) => body), pushed: pushed.rows.map(({ title }) => title) }
    }
    const report = async (hoursAgo: number, detail = 'out_for_delivery', status = detail) => {
      clock = Date.now() - hoursAgo * 3_600_000
      const body = news(trackingNumber, detail, status)
      assert.equal((await tell(body, signed(body))).status, 200)
    }
    await report(30)
    await report(1, 'arrived_at_facility', 'in_transit')
    assert.deepEqual(await announced(), { texts: [], pushed: [] })
    await report(0.5)
    await report(0.4)
    const { texts, pushed } = await announced()
    assert.deepEqual([texts.length, pushed], [1, ['Your order arrives today']])
    assert.match(texts[0] ?? '', new RegExp(`^Your Purlin order ${sent.orderId} is out for delivery.*/orders/customer-order/`))
  } finally {
    useSmsProvider()
    clock = Date.now() - 3 * day
  }
})

test('A16 the label is a PDF for the seller’s own staff; to everybody else there is none', async () => {
  const { parcelId } = await ship()
  const own = await label(parcelId, seller)
  assert.deepEqual([own.status, own.headers.get('content-type')], [200, 'application/pdf'])
  assert.match(own.headers.get('cache-control') ?? '', /private|no-store/)
  const bytes = Buffer.from(await own.arrayBuffer())
  assert.equal(bytes.subarray(0, 5).toString('latin1'), '%PDF-')
  for (const [id, cookie, status] of [
    [parcelId, otherSeller, 404],
    [parcelId, buyer, 401],
    [parcelId, '', 401],
    [randomUUID(), seller, 404],
    ['../../secrets', seller, 404],
  ] as const)
    assert.equal((await label(id, cookie)).status, status, `${id} ${status}`)
})

test('a lost parcel becomes an incident, a late one is shown as late, and one nobody takes goes back', async () => {
  const lost = await ship('lost')
  const late = await ship('late')
  const returned = await ship('returned')
  await pass(5)
  const delayed = await seen(late)
  assert.ok(delayed.kinds.includes('DELAYED'))
  assert.equal(delayed.state, 'ON_THE_WAY')
  await database.pool.query(`update fulfilment.parcel set expected_by = now() - interval '1 hour' where id = $1`, [late.parcelId])
  assert.equal((await seen(late)).isLate, true)
  await pass(10)
  assert.deepEqual([(await seen(lost)).state, (await seen(lost)).saleState], ['LOST', 'INCIDENT_OPEN'])
  assert.equal((await seen(late)).state, 'DELIVERED')
  assert.equal((await seen(returned)).state, 'RETURNED')
  assert.ok((await seen(returned)).kinds.includes('ATTEMPT_FAILED'))
  const { rows } = await database.pool.query<{ text: string }>(
    'select body_text as text from mail.mail where key like $1 and template = $2',
    [`seller-order:${lost.orderId}-1:%`, 'shipment-incident'],
  )
  assert.equal(rows.length, 1)
  assert.match(rows[0]?.text ?? '', /If \S.* has not sent them again by \d+ \w+, you get your money back/)
})

test('V-06 nonsense that the carrier has rightly signed is refused with 400, or is about nothing that the shop listens to', async () => {
  for (const [status, body] of [
    [400, 'null'],
    [400, '[]'],
    [400, '{}'],
    [400, '"tracker.updated"'],
    [200, '{"id":"evt_1","description":"tracker.updated","result":null}'],
    [200, '{"id":"evt_1","description":"tracker.updated","result":{"tracking_code":7}}'],
    [400, news('a\u0000b', 'delivered', 'delivered')],
  ] as const)
    assert.equal((await tell(body, signed(body))).status, status, body)
})

test('A70 a forged, altered, stale or misdirected message of the carrier is refused, and a repeated one changes nothing', async () => {
  const sent = await ship()
  const { trackingNumber } = await seen(sent)
  const body = news(trackingNumber, 'delivered', 'delivered')
  const stale = new Date(Date.now() - 6 * 60_000)
  const soon = new Date(Date.now() + 6 * 60_000)
  for (const [why, text, headers] of [
    ['unsigned', body, {}],
    ['signed with another secret', body, signed(body, { secret: 'guessed' })],
    ['altered', body.replace('delivered', 'returned'), signed(body)],
    ['stale', body, signed(body, { at: stale })],
    ['signed for the future', body, signed(body, { at: soon })],
    ['signed for another address', body, signed(body, { path: '/webhooks/other' })],
    ['given a fresh time', body, { ...signed(body, { at: stale }), 'x-timestamp': new Date().toUTCString() }],
    ['not a message', 'nonsense', signed('nonsense')],
    [
      'without time',
      body,
      {
        'x-path': '/webhooks/carrier',
        'x-hmac-signature-v2': `hmac-sha256-hex=${createHmac('sha256', carrier.webhookSecret).update(`POST/webhooks/carrier${body}`).digest('hex')}`,
      },
    ],
  ] as const)
    assert.equal((await tell(text, headers)).status, 400, why)
  assert.equal((await seen(sent)).state, 'PREPARING')

  const first = news(trackingNumber, 'received_at_origin_facility')
  assert.deepEqual(await tell(first, signed(first)), { status: 200, received: 'recorded' })
  assert.deepEqual(await tell(first, signed(first)), { status: 200, received: 'known' })
  // The same event in another message is recorded once.
  const again = first.replace(/evt_[\w-]+/, `evt_${randomUUID()}`)
  assert.deepEqual(await tell(again, signed(again)), { status: 200, received: 'recorded' })
  assert.deepEqual((await seen(sent)).kinds.toSorted(), ['COLLECTED', 'REGISTERED'])
  const foreign = news('PP000000000000GB', 'delivered', 'delivered')
  assert.deepEqual(await tell(foreign, signed(foreign)), { status: 200, received: 'foreign' })
  const other = JSON.stringify({ id: 'evt_1', description: 'batch.created', result: {} })
  assert.deepEqual(await tell(other, signed(other)), { status: 200, received: 'unheard' })
})

test('a parcel whose messages are lost is asked about after hours of silence, once per silence', async () => {
  const sent = await ship()
  isSilent = true
  await pass(6)
  assert.equal((await seen(sent)).state, 'PREPARING')
  const { trackingNumber } = await seen(sent)
  // Parcels of other tests may be silent as well.
  const isAsked = async () => {
    for (const { run } of schedules.filter(({ name }) => name === 'fulfilment.track-silent')) await database.command({}, run)
    const { rowCount } = await database.pool.query(`select 1 from platform.job where name = 'fulfilment.track' and key = $1`, [
      trackingNumber,
    ])
    await work()
    return rowCount === 1
  }
  assert.equal(await isAsked(), false)
  assert.equal((await seen(sent)).state, 'PREPARING')
  await database.pool.query(`update fulfilment.parcel set created_at = created_at - interval '7 hours' where id = $1`, [sent.parcelId])
  await database.pool.query(`update fulfilment.parcel_event set received_at = received_at - interval '7 hours' where parcel_id = $1`, [
    sent.parcelId,
  ])
  assert.equal(await isAsked(), true)
  assert.equal((await seen(sent)).state, 'DELIVERED')
  assert.equal(await isAsked(), false)
  isSilent = false
})

test('the sellers of the demo accept and ship by themselves, each article in a parcel of its own, and without them nothing moves', async () => {
  const offers = [
    [1, 2],
    [1, 1],
  ] as const
  const { orderId: left } = await paidOrder(database, offers, asCustomer)
  await work()
  connectAutomaticSellers({ acceptAfterMs: 0, shipAfterMs: 0 })
  const { orderId } = await paidOrder(database, offers, asCustomer)
  await work()
  connectAutomaticSellers(null)
  const read = `{ a: customerOrder(id: "${left}") { state } b: customerOrder(id: "${orderId}") { state shipments { parcels { trackingNumber } } } }`
  const before = await ask<{ a: { state: string }; b: { state: string; shipments: { parcels: { trackingNumber: string | null }[] }[] } }>(
    read,
    buyer,
  )
  assert.deepEqual([before.a.state, before.b.state], ['PAID', 'PAID'])
  assert.deepEqual(
    before.b.shipments[0]?.parcels.map(({ trackingNumber }) => trackingNumber?.slice(0, 2)),
    ['PP', 'PP'],
  )
  await pass(6)
  await pass(1)
  assert.equal((await ask<{ b: { state: string } }>(read, buyer)).b.state, 'DELIVERED')
})

test('a shop without a carrier books nothing, hears nothing and leaves shipping to the sellers', async () => {
  const { part } = await paidOrder(database, [[1, 1]], asCustomer)
  await ask(`mutation { acceptSale(sellerOrderId: "${part(1)}") { outcome { state } } }`, seller)
  const before = aggregatorCarrier(carrier)
  useCarrier(null)
  try {
    const { answer } = await ask<{ answer: { refusal: { reason: string } } }>(
      `mutation { answer: shipSale(sellerOrderId: "${part(1)}", idempotencyKey: "${randomUUID()}") { refusal { reason } } }`,
      seller,
    )
    assert.equal(answer.refusal.reason, 'no-carrier')
    const body = news('PP000000000000GB', 'delivered')
    assert.equal((await tell(body, signed(body))).status, 404)
  } finally {
    useCarrier(before)
  }
})
