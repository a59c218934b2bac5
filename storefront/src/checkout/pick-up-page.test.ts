import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cart, cartSeller, money, order, sellerOrder } from '../testing/goods.ts'
import { pageOf, textOf } from '../testing/shop.ts'

const guest = { cookie: 'who=guest' }
const way = (kind: string) => ({ kind, label: kind === 'relay' ? 'Pick-up point' : kind, fee: money(3), promise: 'Arrives Tue 24 Nov' })
const point = (id: string, more: object = {}) => ({
  id,
  kind: 'SHOP',
  name: `Shop ${id}`,
  line1: '1 Mill Lane',
  postcode: 'M1 1AA',
  city: 'Manchester',
  latitude: 53.48 + Number(id) / 100,
  longitude: -2.24,
  distance: Number(id) * 800,
  isFull: false,
  hours: [{ days: 'Mon–Fri', hours: '08:00–18:30' }],
  closed: [{ from: '2026-12-25', to: '2026-12-26' }],
  ...more,
})
const found = (more: object = {}) => ({
  near: 'M1 1AE',
  isAvailable: true,
  centre: { latitude: 53.48, longitude: -2.24 },
  points: [point('1'), point('2', { isFull: true }), point('3', { kind: 'LOCKER', hours: [{ days: 'Open around the clock', hours: '' }] })],
  ...more,
})
const funnel = { step: 'register', customerOrderId: null, email: null }
const held = cart({ sellers: [cartSeller({ deliveryOptions: [way('standard'), way('relay')], deliveryKind: 'standard' })] })
const details = '/checkout/address'
const delivery = '/order/ORDER123/delivery'
const draft = (more: object = {}) =>
  order({ state: 'DRAFT', sellerOrders: [sellerOrder({ deliveryOptions: [way('standard'), way('relay')], ...more })] })
const see = async (root: object, path: string, host = 'gb.localhost') => {
  const { status, headers, body } = await pageOf({ funnel, cart: held, ...root }, path, { ...guest, host })
  return { status, location: headers.location, body, text: textOf(body) }
}
const done = {
  continueAsGuest: { refusal: null },
  saveAddress: { order: { id: 'ORDER123' }, refusal: null },
  placeOrder: { order: null, refusal: null },
  chooseCartDelivery: { cart: held, refusal: null },
}

test('R-129 the delivery step lists the nearest points with distance and opening hours, and draws them on a map', async () => {
  const { status, body, text } = await see({ customerOrder: draft(), pickUpPoints: found() }, delivery)
  assert.equal(status, 200)
  assert.match(text, /3 pick-up points near M1 1AE\./)
  assert.match(
    text,
    /1 Shop 1 1 Mill Lane, M1 1AA Manchester 0\.5 mi Parcel shop Opening hours Shop 1 Mon–Fri 08:00–18:30 Closed from 25 December/,
  )
  assert.match(text, /Shop 2 [^]*? Full at the moment/)
  assert.match(text, /Parcel locker [^]*? Open around the clock/)
  assert.match(body, /<svg[^>]*role="img"[^>]*aria-label="Map of the pick-up points/)
  assert.equal(body.match(/data-pin=/g)?.length, 3)
  assert.match(body, /<input[^>]*value="2"[^>]*disabled|<input[^>]*disabled[^>]*value="2"/)
  const radio = (value: string) =>
    new RegExp(`<input(?=[^>]*type="radio")(?=[^>]*name="([^"]*)")(?=[^>]*value="${value}")[^>]*>`).exec(body)
  assert.equal(radio('1')?.[1], 'point.7')
  assert.doesNotMatch(radio('1')?.[0] ?? '', /checked/, 'no point is chosen for anybody')
})

test('V-22 the words are those of each market, and distances are metric outside the United Kingdom', async () => {
  const root = { customerOrder: draft(), pickUpPoints: found() }
  assert.match((await see(root, delivery, 'de.localhost')).text, /3 Abholpunkte in der Nähe von M1 1AE\. .*800 m .*2,4 km/)
  assert.match((await see(root, delivery, 'fr.localhost')).text, /3 points relais près de M1 1AE\. .*800 m .*2,4 km/)
})

test('V-22 no point near and a silent carrier are said in words; delivery to the door stays', async () => {
  const empty = await see({ customerOrder: draft(), pickUpPoints: found({ points: [], centre: null }) }, delivery)
  assert.match(empty.text, /no pick-up point near M1 1AE\. Try another postcode/)
  const silent = await see({ customerOrder: draft(), pickUpPoints: found({ near: null, isAvailable: false, points: [] }) }, delivery)
  assert.match(silent.text, /We cannot show pick-up points at the moment/)
  for (const { body } of [empty, silent]) {
    assert.match(body, /value="standard"/)
    assert.doesNotMatch(body, /data-pin/)
  }
})

test('V-22 another postcode is searched without scripts: the page comes back with pick-up still chosen', async () => {
  const { body } = await see({ customerOrder: draft(), pickUpPoints: found() }, `${delivery}?near=M2+1AA`)
  assert.match(body, /<input(?=[^>]*value="relay")[^>]*checked/)
  assert.match(body, /<form id="near" method="get"/)
  const odd = await see({ customerOrder: draft(), pickUpPoints: found({ near: null, points: [] }) }, `${delivery}?near=%3Cscript%3E`)
  assert.equal(odd.status, 200)
  assert.doesNotMatch(odd.body, /<script>\s*pick/)
})

test('V-22 a guest without scripts chooses pick-up on the one page, and the point on the next', async () => {
  const page = await see({}, details)
  assert.match(page.text, /You choose the pick-up point in the next step\./)
  assert.doesNotMatch(page.body, /data-pin/)
  const form = {
    do: 'type',
    idempotencyKey: 'k1',
    email: 'ann@example.com',
    name: 'Ann Lee',
    line1: '1 Mill Lane',
    postcode: 'M1 1AE',
    city: 'Manchester',
    'delivery.7': 'relay',
  }
  const sent = async (more: object) =>
    (await pageOf({ funnel, cart: held, ...done }, details, { ...guest, form: { ...form, ...more } })).headers.location
  assert.equal(await sent({}), delivery)
  assert.equal(await sent({ 'point.7': '1' }), '/order/ORDER123/secure-payment')
  assert.equal(await sent({ 'delivery.7': 'standard', 'point.7': '1' }), '/order/ORDER123/secure-payment')
})

test('V-22 a point refused while placing is said on the page, with what was chosen', async () => {
  const refusal = { reason: 'pick-up-point-gone', message: 'This pick-up point has closed.', fields: [] }
  const form = { idempotencyKey: 'k1', 'delivery.7': 'relay', 'point.7': '3' }
  const { status, body } = await pageOf({ customerOrder: draft(), pickUpPoints: found(), placeOrder: { order: null, refusal } }, delivery, {
    ...guest,
    form,
  })
  assert.equal(status, 409)
  assert.match(textOf(body), /This pick-up point has closed\./)
  assert.match(body, /<input(?=[^>]*value="relay")[^>]*checked/)
  assert.match(body, /<input(?=[^>]*value="3")[^>]*checked/)
})

test('R-129 receipt, payment and order show the point chosen; the billing address stays the buyer’s', async () => {
  const paid = order({
    isPaid: true,
    state: 'PAID',
    shipments: [],
    sellerOrders: [sellerOrder({ deliveryKind: 'relay', pickUpPoint: point('1') })],
  })
  for (const path of ['/order/ORDER123/secure-payment/receipt', '/orders/customer-order/ORDER123/shipment/O1-7'])
    assert.match(
      (await see({ customerOrder: paid, refundsOfOrder: [], returnsOfOrder: [] }, path)).text,
      /Shop 1, 1 Mill Lane, M1 1AA Manchester/,
      path,
    )
})
