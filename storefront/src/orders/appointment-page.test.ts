import assert from 'node:assert/strict'
import { test } from 'node:test'
import { money, order, sellerOrder } from '../testing/goods.ts'
import { pageOf, textOf } from '../testing/shop.ts'

const guest = { cookie: 'who=guest' }
const consumer = { cookie: 'who=consumer' }
const slot = (day: string, hour: number, isFull = false) => ({
  id: `${day}/${String(hour).padStart(2, '0')}:00-${hour + 4}:00`,
  from: `${day}T${String(hour).padStart(2, '0')}:00:00Z`,
  to: `${day}T${hour + 4}:00:00Z`,
  isFull,
})
const slots = [slot('2026-12-01', 8), slot('2026-12-01', 12, true), slot('2026-12-02', 8)]
const calendar = { isAvailable: true, slots }
const way = (kind: string) => ({ kind, label: kind, fee: money(30), promise: 'Arrives Tue 1 Dec' })
const draft = order({ state: 'DRAFT', sellerOrders: [sellerOrder({ deliveryOptions: [way('standard'), way('appointment')] })] })
const delivery = '/order/ORDER123/delivery'
const page = '/orders/customer-order/ORDER123/shipment/O1-7/appointment'
const { isFull: _full, ...booked } = slots[0] as (typeof slots)[number]
const bought = (appointment: object | null, more: object = {}) =>
  order({
    isPaid: true,
    state: 'PAID',
    sellerOrders: [
      sellerOrder({
        state: 'ACCEPTED',
        deliveryKind: 'appointment',
        appointment: booked,
        deliveryPromise: 'Tuesday 1 December, 08:00–12:00',
        ...more,
      }),
    ],
    shipments: [{ sellerOrderId: 'O1-7', pieces: [], parcels: [], history: [], due: null, appointment }],
  })

test('V-22 the delivery step lists the carrier’s days and hours, full ones cannot be chosen, and none is chosen for anybody', async () => {
  const { status, body } = await pageOf({ customerOrder: draft, deliverySlots: calendar }, delivery, guest)
  assert.equal(status, 200)
  const text = textOf(body)
  assert.match(text, /Tuesday 1 December 08:00–12:00 12:00–16:00 Fully booked Wednesday 2 December 08:00–12:00/)
  const radio = (id: string) => new RegExp(`<input(?=[^>]*name="slot\\.7")(?=[^>]*value="${id}")[^>]*>`).exec(body)?.[0] ?? ''
  assert.match(radio(slots[1]?.id ?? ''), /disabled/)
  assert.ok(radio(slots[0]?.id ?? '') !== '' && !/checked|disabled/.test(radio(slots[0]?.id ?? '')))
})

test('V-22 the hours are written as each market writes them', async () => {
  for (const [host, said] of [
    ['de.localhost', /Dienstag, 1\. Dezember 09:00–13:00 Uhr/],
    ['fr.localhost', /mardi 1er décembre 09:00–13:00/],
    ['es.localhost', /martes, 1 de diciembre 9:00–13:00/],
    ['it.localhost', /martedì 1 dicembre 09:00–13:00/],
  ] as const)
    assert.match(textOf((await pageOf({ customerOrder: draft, deliverySlots: calendar }, delivery, { ...guest, host })).body), said, host)
})

test('V-22 a silent calendar is said in words, and the time chosen is sent with the order', async () => {
  assert.match(textOf((await pageOf({ customerOrder: draft }, delivery, guest)).body), /Order now and choose the time afterwards/)
  let sent: unknown
  const placeOrder = (args: unknown) => {
    sent = args
    return { order: null, refusal: null }
  }
  const form = { idempotencyKey: 'k1', 'delivery.7': 'appointment', 'slot.7': slots[2]?.id ?? '' }
  const { headers } = await pageOf({ customerOrder: draft, deliverySlots: calendar, placeOrder }, delivery, { ...guest, form })
  assert.equal(headers.location, '/order/ORDER123/secure-payment')
  assert.deepEqual(
    (sent as { choices: object[] }).choices.map((each) => ({ ...each })),
    [{ sellerId: 7, kind: 'appointment', slotId: slots[2]?.id }],
  )
})

test('the order shows its appointment and leads to another while it can be changed, asks for one that is open, and says when it was missed', async () => {
  const about = '/orders/customer-order/ORDER123/shipment/O1-7'
  const see = async (appointment: object | null, more: object = {}) =>
    (await pageOf({ customerOrder: bought(appointment, more), refundsOfOrder: [], returnsOfOrder: [] }, about, consumer)).body
  const open = await see({ canChoose: true, isMissed: false })
  assert.match(textOf(open), /Tuesday 1 December, 08:00–12:00.*Change the appointment/)
  assert.ok(open.includes(`href="${page}"`))
  assert.ok(!(await see({ canChoose: false, isMissed: false })).includes(`href="${page}"`))
  assert.match(
    textOf(await see({ canChoose: true, isMissed: false }, { appointment: null })),
    /Please choose when we may deliver\. Choose a time/,
  )
  assert.match(textOf(await see({ canChoose: true, isMissed: true })), /nobody was there\. Please choose another time\. Choose a time/)
})

test('the buyer changes the appointment without scripts; a time that is gone is said, and nobody else’s order has the page', async () => {
  const root = { customerOrder: bought({ canChoose: true, isMissed: false }), deliverySlots: calendar }
  const { body } = await pageOf(root, page, consumer)
  assert.match(body, new RegExp(`<input(?=[^>]*value="${slots[0]?.id}")[^>]*checked`))
  const form = { slot: slots[2]?.id ?? '' }
  const done = await pageOf({ ...root, chooseDeliverySlot: { refusal: null } }, page, { ...consumer, form })
  assert.deepEqual([done.status, done.headers.location], [303, '/orders/customer-order/ORDER123/shipment/O1-7'])
  const refusal = { reason: 'slot-gone', message: 'This time is no longer available.' }
  const refused = await pageOf({ ...root, chooseDeliverySlot: { refusal } }, page, { ...consumer, form })
  assert.equal(refused.status, 409)
  assert.match(textOf(refused.body), /This time is no longer available\./)
  assert.match(
    textOf((await pageOf({ customerOrder: bought({ canChoose: false, isMissed: false }) }, page, consumer)).body),
    /can no longer be changed/,
  )
  assert.equal((await pageOf({ customerOrder: bought(null) }, page, consumer)).status, 404)
  assert.equal((await pageOf({ customerOrder: null }, page, consumer)).status, 404)
})
