import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, test } from 'node:test'
import { startParcelCarrier } from '@purlin/services/parcel-carrier/index.ts'
import { chooseCartDelivery, loadPricedCart } from '#cart'
import { readOrder } from '#orders'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { usePointFinder } from '../pickup/finder-of-shop.ts'
import { locationFinder } from '../pickup/location-finder.ts'
import { addOffer, draftOrder, fillShop, must, newBuyer, type Buyer } from './testing.ts'
import { placeExpressOrder } from './place-express-order.ts'
import { placeOrder } from './place-order.ts'
import { showOrder } from './show-order.ts'

const database = await testDatabase()
await fillShop(database)
const standard = { kind: 'standard', fee: 490, daysMin: 2, daysMax: 4 }
const relay = { kind: 'relay', fee: 340, daysMin: 3, daysMax: 5 }
await addOffer(database, { id: '1', delivery: [standard, relay] })
await addOffer(database, { id: '2', delivery: [standard, relay], sellerId: 2 })
const gateway = await testGateway(database.pool)

const gone = new Set<string>()
const carrier = await startParcelCarrier({
  port: 0,
  file: ':memory:',
  apiKey: 'key',
  webhookSecret: 'secret',
  webhookUrl: 'http://127.0.0.1:1/webhooks/carrier',
  speed: 0,
  isGone: (id) => gone.has(id),
  isSilent: () => true,
})
after(() => carrier.close())
const url = `http://127.0.0.1:${carrier.port}`
const own = locationFinder({ url, apiKey: 'key' })
usePointFinder(own)
afterEach(() => {
  gone.clear()
  usePointFinder(own)
})

async function pointsNear(near: string, host = 'gb.localhost') {
  const { body } = await gateway.post(
    `query ($near: String!) { pickUpPoints(near: $near) { near isAvailable centre { latitude } points { id kind name postcode distance isFull hours { days hours } closed { from } } } }`,
    { near },
    { host },
  )
  return (body as { data: { pickUpPoints: Found } }).data.pickUpPoints
}
interface Found {
  near: string | null
  isAvailable: boolean
  centre: { latitude: number } | null
  points: { id: string; kind: string; name: string; distance: number; isFull: boolean; hours: { days: string; hours: string }[] }[]
}
const { points } = await pointsNear('M1 1AE')
const shop = points.find(({ kind }) => kind === 'SHOP')?.id ?? ''
const locker = points.find(({ kind }) => kind === 'LOCKER')?.id ?? ''

const placeAt = (buyer: Buyer, customerOrderId: string, pointId: string | null, idempotencyKey: string = crypto.randomUUID()) =>
  buyer.does((scope) => placeOrder(scope, { customerOrderId, idempotencyKey, choices: [{ sellerId: 1, kind: 'relay', pointId }] }))
const refused = (reason: string) => ({ ok: false, reason })
async function buyerOf(quantity = 1) {
  const buyer = newBuyer(database)
  return { buyer, orderId: await draftOrder(buyer, [{ offerId: '1', quantity }]) }
}

test('R-129 R-596 the nearest pick-up points of a postcode, nearest first, with opening hours in the market’s language', async () => {
  assert.equal(points.length, 8)
  assert.deepEqual(
    points.map(({ distance }) => distance),
    points.map(({ distance }) => distance).toSorted((a, b) => a - b),
  )
  assert.ok(points.some(({ hours }) => hours[0]?.days === 'Open around the clock'))
  for (const [host, postcode, weekdays] of [
    ['de.localhost', '10117', /^Mo–Fr$/],
    ['fr.localhost', '75011', /^lun\.–ven\.$/],
    ['es.localhost', '28001', /^lun–vie$/],
    ['it.localhost', '00184', /^lun–ven$/],
  ] as const) {
    const found = await pointsNear(postcode, host)
    assert.ok(found.points.length > 3, host)
    assert.ok(
      found.points.some(({ hours }) => hours.some(({ days }) => weekdays.test(days))),
      JSON.stringify(found.points[0]?.hours),
    )
  }
})

test('V-22 no point is near a place without one; an invalid postcode, or one of another market, finds nothing', async () => {
  assert.deepEqual(await pointsNear('ZE1 0AA'), { near: 'ZE1 0AA', isAvailable: true, centre: null, points: [] })
  for (const typed of ['10117', "M1' or 1=1", '', 'x'.repeat(200)])
    assert.deepEqual(await pointsNear(typed), { near: null, isAvailable: true, centre: null, points: [] })
})

test('V-22 home delivery is the default, although the pick-up point is cheaper', async () => {
  const { buyer } = await buyerOf()
  const [group] = (await loadPricedCart(buyer.scope())).sellers
  assert.deepEqual([group?.kind, group?.delivery, group?.options.map(({ kind }) => kind)], ['standard', 490, ['standard', 'relay']])
})

test('V-22 an order is placed with the point chosen, which stays with it; addresses stay the buyer’s', async () => {
  const { buyer, orderId } = await buyerOf()
  const key = crypto.randomUUID()
  must(await placeAt(buyer, orderId, shop, key))
  const [part] = (await readOrder(database.db, orderId))?.sellerOrders ?? []
  assert.equal(part?.pickUpPoint?.id, shop)
  assert.equal(part?.delivery, 340)
  const shown = await showOrder(buyer.scope(), orderId)
  assert.equal(shown?.sellerOrders[0]?.pickUpPoint?.name, points.find(({ id }) => id === shop)?.name)
  assert.equal(shown?.billingAddress.line1, shown?.address.line1)
  gone.add(shop)
  must(await placeAt(buyer, orderId, shop, key))
  assert.equal((await readOrder(database.db, orderId))?.sellerOrders[0]?.pickUpPoint?.id, shop, 'a repeated request changes nothing')
})

test('V-22 another point chosen before payment replaces the first; home delivery has none', async () => {
  const { buyer, orderId } = await buyerOf()
  must(await placeAt(buyer, orderId, shop))
  must(await placeAt(buyer, orderId, locker))
  assert.equal((await readOrder(database.db, orderId))?.sellerOrders[0]?.pickUpPoint?.id, locker)
  const home = {
    customerOrderId: orderId,
    idempotencyKey: crypto.randomUUID(),
    choices: [{ sellerId: 1, kind: 'standard', pointId: shop }],
  }
  must(await buyer.does((scope) => placeOrder(scope, home)))
  assert.equal((await readOrder(database.db, orderId))?.sellerOrders[0]?.pickUpPoint, null)
})

test('V-22 refused: no point, an unknown one, one of another market, one that closed after it was chosen, one given with another seller’s part', async () => {
  const { buyer, orderId } = await buyerOf()
  const [german] = (await pointsNear('10117', 'de.localhost')).points
  assert.deepEqual(await placeAt(buyer, orderId, null), refused('pick-up-point-missing'))
  for (const id of ['GB-99999', '../labels/x', 'x'.repeat(500), german?.id ?? ''])
    assert.deepEqual(await placeAt(buyer, orderId, id), refused('pick-up-point-gone'), id)
  gone.add(shop)
  assert.deepEqual(await placeAt(buyer, orderId, shop), refused('pick-up-point-gone'))
  gone.clear()
  const other = [
    { sellerId: 1, kind: 'relay' },
    { sellerId: 2, kind: 'relay', pointId: shop },
  ]
  const mixed = { customerOrderId: orderId, idempotencyKey: crypto.randomUUID(), choices: other }
  assert.equal((await buyer.does((scope) => placeOrder(scope, mixed))).ok, false)
  assert.equal((await readOrder(database.db, orderId))?.state, 'draft')
  must(await placeAt(buyer, orderId, shop))
})

test('V-22 a locker refuses what only a shop can hold; what no point can hold is not offered for pick-up', async () => {
  const { buyer, orderId } = await buyerOf(12)
  assert.deepEqual(await placeAt(buyer, orderId, locker), refused('pick-up-point-too-heavy'))
  must(await placeAt(buyer, orderId, shop))
  const heavy = await buyerOf(21)
  const [group] = (await loadPricedCart(heavy.buyer.scope())).sellers
  assert.deepEqual(
    group?.options.map(({ kind }) => kind),
    ['standard'],
  )
  assert.deepEqual(await placeAt(heavy.buyer, heavy.orderId, shop), refused('delivery-not-available'))
})

test('V-22 a point takes no more parcels than it has room for', async () => {
  const address = { name: 'A', company: null, street1: 'x', street2: null, zip: 'M1 1AE', city: 'Manchester', country: 'GB' }
  const headers = { authorization: `Basic ${Buffer.from('key:').toString('base64')}` }
  const send = async (path: string, body: object) =>
    (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  for (let held = 0; held < 16; held++) {
    const shipment = {
      reference: `full-${held}`,
      from_address: address,
      to_address: address,
      parcel: { weight: 1 },
      options: { hold_for_pickup: locker },
    }
    const { id, rates } = (await send('/v2/shipments', { shipment })) as { id: string; rates: [{ id: string }] }
    await send(`/v2/shipments/${id}/buy`, { rate: rates[0] })
  }
  usePointFinder(own)
  assert.equal((await pointsNear('M1 1AE')).points.find(({ id }) => id === locker)?.isFull, true)
  const { buyer, orderId } = await buyerOf()
  assert.deepEqual(await placeAt(buyer, orderId, locker), refused('pick-up-point-full'))
})

test('V-22 a cart with a pick-up point in mind is not bought in two clicks without one', async () => {
  const { buyer } = await buyerOf()
  must(await buyer.does((scope) => chooseCartDelivery(scope, [{ sellerId: 1, kind: 'relay' }])))
  assert.equal((await buyer.does((scope) => placeExpressOrder(scope, crypto.randomUUID()))).ok, false)
})

const answers: Record<string, (answer: import('node:http').ServerResponse) => void> = {
  'an HTML page': (answer) => answer.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Busy</title>'),
  'an error': (answer) => answer.writeHead(503).end('{}'),
  'another shape': (answer) => answer.end('{"locations":[{"name":7}]}'),
  'a redirect': (answer) => answer.writeHead(302, { location: url }).end(),
  'ten megabytes': (answer) => answer.end(`{"locations":[]${' '.repeat(10_000_000)}}`),
  nothing: () => undefined,
}
for (const [what, answer] of Object.entries(answers))
  test(`V-22 a carrier that sends ${what} costs no sale: the points are unavailable, the door is not`, async () => {
    const server = createServer((_request, response) => answer(response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    usePointFinder(locationFinder({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: 'key' }))
    try {
      const since = performance.now()
      assert.deepEqual(await pointsNear('M2 1AA'), { near: null, isAvailable: false, centre: null, points: [] })
      assert.ok(performance.now() - since < 4_000)
      const { buyer, orderId } = await buyerOf()
      assert.deepEqual(await placeAt(buyer, orderId, shop), refused('pick-up-point-unconfirmed'))
      const home = { customerOrderId: orderId, idempotencyKey: crypto.randomUUID(), choices: [{ sellerId: 1, kind: 'standard' }] }
      must(await buyer.does((scope) => placeOrder(scope, home)))
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

test('V-22 a shop without a carrier offers no pick-up points', async () => {
  usePointFinder(null)
  assert.equal((await pointsNear('M3 1AA')).isAvailable, false)
})
