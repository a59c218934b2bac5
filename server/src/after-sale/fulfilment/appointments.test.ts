import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, test } from 'node:test'
import { testSellerMember } from '@purlin/contract/testing.ts'
import type { Fate } from '@purlin/services/parcel-carrier/index.ts'
import { readOrder } from '#orders'
import { slotId, slotTimes } from '#pickup'
import type { Scope } from '#platform'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { addCustomer } from '../../people/accounts/testing.ts'
import { showDeliverySlots } from '../../selling/checkout/chosen-slots.ts'
import { placeOrder } from '../../selling/checkout/place-order.ts'
import { showOrder } from '../../selling/checkout/show-order.ts'
import * as checkoutJobs from '../../selling/checkout/jobs.ts'
import { addOffer, draftOrder, fillShop, newBuyer, place } from '../../selling/checkout/testing.ts'
import * as paymentJobs from '../../selling/payments/jobs.ts'
import { useSlotDirectory } from '../../selling/pickup/find-slots.ts'
import { carrierSlots } from '../../selling/pickup/slot-directory.ts'
import * as refundJobs from '../../selling/refunds/jobs.ts'
import { cards, testProvider } from '../../selling/refunds/testing.ts'
import { appointmentOf, chooseDeliverySlot } from './choose-slot.ts'
import { acceptSale, shipLines } from './index.ts'
import * as jobsHere from './jobs.ts'
import { showShipments } from './show-shipments.ts'
import { readDues } from './store.ts'
import { testCarrier } from './test-carrier.ts'

/** Bulky goods that come by appointment: chosen with the order, changed until the day before, chosen anew after nobody was there. */

const database = await testDatabase()
await fillShop(database)
const delivery = ['standard', 'appointment'].map((kind) => ({ kind, fee: 2990, daysMin: 4, daysMax: 8 }))
await addOffer(database, { id: '8701', price: 9000, stock: 1000, delivery })
const gateway = await testGateway(database.pool)

const day = 86_400_000
const fates: Fate[] = []
let clock = Date.now()
const { server: post, settings: carrier } = await testCarrier(gateway.url, { now: () => clock, fateOf: () => fates.shift() ?? 'delivered' })
after(() => post.close())
const calendar = carrierSlots(carrier)
useSlotDirectory(calendar)
afterEach(() => useSlotDirectory(calendar))

const work = () =>
  runWork(
    database,
    [...paymentJobs.handlers, ...refundJobs.handlers, ...jobsHere.handlers],
    [...checkoutJobs.jobs, ...paymentJobs.jobs, ...jobsHere.jobs],
  )
const provider = await testProvider(database, gateway.url, work)
after(() => provider.close())
const seller: Partial<Scope> = { principal: testSellerMember({ sellerId: 1 }) }

async function newConsumer() {
  const { id } = await addCustomer(database.db)
  return newBuyer(database, { principal: { kind: 'customer', id, email: `${id}@example.com`, name: 'Ann', market: 'gb' } })
}
type Buyer = Awaited<ReturnType<typeof newConsumer>>

const calendarOf = (buyer: Buyer, orderId: string) => buyer.does((scope) => showDeliverySlots(scope, orderId, 1))
async function freeSlots(buyer: Buyer, orderId: string) {
  const calendar = await calendarOf(buyer, orderId)
  return calendar?.slots.filter(({ isFull }) => !isFull) ?? []
}
const choices = (slot: string | null) => [{ sellerId: 1, kind: 'appointment', slotId: slot }]

/** A paid order with the first or another free slot. */
async function ordered(index = 0) {
  clock = Date.now()
  const buyer = await newConsumer()
  const probe = await draftOrder(buyer, [{ offerId: '8701', quantity: 1 }])
  const slot = (await freeSlots(buyer, probe))[index]
  assert.ok(slot)
  const orderId = await provider.paidOrder(buyer, [{ offerId: '8701', quantity: 1 }], cards.approved, choices(slot.id))
  return { buyer, orderId, sellerOrderId: `${orderId}-1`, slot }
}
type Ordered = Awaited<ReturnType<typeof ordered>>

async function ship({ sellerOrderId }: Pick<Ordered, 'sellerOrderId'>, fate: Fate = 'delivered'): Promise<void> {
  await database.command(seller, (scope) => acceptSale(scope, { sellerOrderId, lines: null }))
  fates.push(fate)
  const shipped = await database.command(seller, (scope) =>
    shipLines(scope, { sellerOrderId, lines: null, carrier: null, idempotencyKey: randomUUID() }),
  )
  assert.ok(shipped.ok)
  await work()
}
const choose = ({ buyer, orderId, sellerOrderId }: Omit<Ordered, 'slot'>, slot: string, more: Partial<Scope> = {}) =>
  database.command({ ...buyer.overrides, ...more }, (scope) =>
    chooseDeliverySlot(scope, { customerOrderId: orderId, sellerOrderId, slotId: slot }),
  )
const appointmentNow = async (orderId: string) => (await readOrder(database.db, orderId))?.sellerOrders[0]?.appointment
const parcelOf = async ({ orderId, sellerOrderId }: Pick<Ordered, 'orderId' | 'sellerOrderId'>) => {
  const [shipment] = await showShipments({ db: database.db, now: new Date(), market: 'gb' }, orderId, [sellerOrderId])
  assert.ok(shipment?.parcels[0])
  return shipment.parcels[0]
}
async function at(time: Date): Promise<void> {
  clock = time.getTime()
  for (let turn = 0; turn < 4; turn++) await post.tick()
  await work()
}
const mailsOf = async (sellerOrderId: string) =>
  (
    await database.pool.query<{ template: string }>(`select template from mail.mail where key like $1 order by id`, [
      `seller-order:${sellerOrderId}:%`,
    ])
  ).rows.map(({ template }) => template)

test('V-22 the carrier’s calendar begins when the goods can be there, and a full or unknown time, or none, is refused', async () => {
  const buyer = await newConsumer()
  const orderId = await draftOrder(buyer, [{ offerId: '8701', quantity: 1 }])
  const { isAvailable = false, slots = [] } = (await calendarOf(buyer, orderId)) ?? {}
  assert.equal(isAvailable, true)
  assert.ok(slots.length > 20)
  assert.ok(slots.every(({ from, to }) => from.getTime() > Date.now() + 3 * day && to > from))
  const full = slots.find(({ isFull }) => isFull)
  const tomorrow = new Date(Date.now() + day).toISOString().slice(0, 10)
  for (const id of [full?.id ?? '', `${tomorrow}/08:00-12:00`, '2026-02-30/08:00-12:00', "x' or 1=1"])
    assert.deepEqual(await place(buyer, orderId, randomUUID(), choices(id)), { ok: false, reason: 'slot-gone' }, id)
  assert.deepEqual(await place(buyer, orderId, randomUUID(), choices(null)), { ok: false, reason: 'slot-missing' })
  const stranger = await newConsumer()
  assert.equal(await calendarOf(stranger, orderId), null)
})

test('V-22 the time chosen stays with the order, is the promise it shows, and the carrier comes within it', async () => {
  const at1 = await ordered()
  const { slot, orderId } = at1
  const kept = await appointmentNow(orderId)
  assert.equal(kept && slotId(kept), slot.id)
  const shown = await showOrder(at1.buyer.scope(), orderId)
  assert.match(shown?.sellerOrders[0]?.deliveryPromise ?? '', /^\w+ \d+ \w+, \d\d:\d\d–\d\d:\d\d$/)
  await ship(at1)
  assert.deepEqual((await parcelOf(at1)).expectedBy, slot.to)
  await at(new Date(slot.from.getTime() - 12 * 3_600_000))
  assert.equal((await parcelOf(at1)).state, 'on-the-way')
  const arrive = (await readDues(database.db, [at1.sellerOrderId])).find(({ kind }) => kind === 'arrive')
  assert.equal(arrive?.dueAt.toISOString().slice(0, 10), kept?.day)
  await at(slot.to)
  assert.equal((await parcelOf(at1)).state, 'delivered')
  const delivered = (await parcelOf(at1)).events.find(({ kind }) => kind === 'delivered')
  assert.ok(delivered && delivered.at >= slot.from && delivered.at <= slot.to)
})

test('the buyer changes the time until the day before, and the carrier comes at the new one; nobody else may', async () => {
  const at1 = await ordered()
  await ship(at1)
  const before = await appointmentNow(at1.orderId)
  assert.ok(before)
  const later = (await freeSlots(at1.buyer, at1.orderId)).at(-1)
  assert.ok(later && later.id !== at1.slot.id)
  const stranger = await newConsumer()
  assert.deepEqual(await choose({ ...at1, buyer: stranger }, later.id), { ok: false, reason: 'unknown-order' })
  const onTheDay = new Date(slotTimes('gb', before).from.getTime() - 2 * 3_600_000)
  assert.deepEqual(await choose(at1, later.id, { now: onTheDay }), { ok: false, reason: 'slot-not-now' })
  assert.deepEqual(await choose(at1, 'nonsense'), { ok: false, reason: 'slot-gone' })
  assert.ok((await choose(at1, later.id, { now: new Date(onTheDay.getTime() - day) })).ok)
  await work()
  assert.deepEqual((await parcelOf(at1)).expectedBy, later.to)
  await at(at1.slot.to)
  assert.equal((await parcelOf(at1)).state, 'on-the-way')
  await at(later.to)
  assert.equal((await parcelOf(at1)).state, 'delivered')
  assert.equal((await mailsOf(at1.sellerOrderId)).filter((kind) => kind === 'appointment-chosen').length, 1)
  const { rows } = await database.pool.query(`select 1 from mail.mail where template = 'sale-appointment' and key like $1`, [
    `sale:${at1.sellerOrderId}:%`,
  ])
  assert.equal(rows.length, 1, 'the seller is told, whose own carrier may bring it')
})

test('every time that the calendar shows for an order can be chosen, from the first to the last, and none before the goods can be there', async () => {
  const at1 = await ordered()
  const free = await freeSlots(at1.buyer, at1.orderId)
  for (const slot of [free.at(-1), free[1]]) assert.ok(slot && (await choose(at1, slot.id)).ok, JSON.stringify(slot))
  const soon = new Date(Date.now() + 2 * day).toISOString().slice(0, 10)
  assert.deepEqual(await choose(at1, `${soon}/08:00-12:00`), { ok: false, reason: 'slot-gone' })
})

test('an appointment that was missed needs another: the buyer is told, and chooses it on the day itself', async () => {
  const at1 = await ordered()
  await ship(at1, 'returned')
  await at(at1.slot.to)
  const parcel = await parcelOf(at1)
  assert.equal(parcel.events[0]?.kind, 'appointment-missed')
  const part = { deliveryKind: 'appointment', state: 'shipped' as const, appointment: { from: at1.slot.from } }
  assert.deepEqual(appointmentOf('gb', at1.slot.to, part, [parcel]), { canChoose: true, isMissed: true })
  assert.ok((await mailsOf(at1.sellerOrderId)).includes('appointment-missed'))
  const next = (await freeSlots(at1.buyer, at1.orderId)).find(({ from }) => from.getTime() > at1.slot.to.getTime() + 2 * day)
  assert.ok(next)
  assert.ok((await choose(at1, next.id, { now: at1.slot.to })).ok)
  const anew = { ...part, appointment: { from: next.from, chosenAt: at1.slot.to } }
  assert.deepEqual(appointmentOf('gb', at1.slot.to, anew, [parcel]), { canChoose: true, isMissed: false })
  await work()
  await at(next.to)
  assert.equal((await parcelOf(at1)).state, 'delivered')
})

test('nobody chooses another time: after a week the goods go back to their seller', async () => {
  const at1 = await ordered()
  await ship(at1, 'returned')
  await at(new Date(at1.slot.to.getTime() + 6 * day))
  assert.equal((await parcelOf(at1)).state, 'on-the-way')
  await at(new Date(at1.slot.to.getTime() + 7.1 * day))
  assert.equal((await parcelOf(at1)).state, 'returned')
})

test('a silent calendar costs no sale: the order is placed, the goods wait at the depot, and the time is chosen later', async () => {
  useSlotDirectory({ between: () => Promise.reject(new Error('silent')) })
  clock = Date.now()
  const buyer = await newConsumer()
  const probe = await draftOrder(buyer, [{ offerId: '8701', quantity: 1 }])
  assert.deepEqual(await calendarOf(buyer, probe), { isAvailable: false, slots: [] })
  const orderId = await provider.paidOrder(buyer, [{ offerId: '8701', quantity: 1 }], cards.approved, choices('2030-01-01/08:00-12:00'))
  const at1 = { buyer, orderId, sellerOrderId: `${orderId}-1` }
  assert.equal(await appointmentNow(orderId), null)
  await ship(at1)
  assert.deepEqual(await choose(at1, '2030-01-01/08:00-12:00'), { ok: false, reason: 'slot-unavailable' })
  useSlotDirectory(calendar)
  await at(new Date(clock + 5 * day))
  assert.equal((await parcelOf(at1)).state, 'on-the-way')
  const slot = (await freeSlots(buyer, orderId)).find(({ from }) => from.getTime() > clock)
  assert.ok(slot && (await choose(at1, slot.id)).ok)
  await work()
  await at(slot.to)
  assert.equal((await parcelOf(at1)).state, 'delivered')
})

test('a repeated request with the same time changes nothing; a placed order keeps its time when it is paid another way', async () => {
  const buyer = await newConsumer()
  const orderId = await draftOrder(buyer, [{ offerId: '8701', quantity: 1 }])
  const [slot, other] = await freeSlots(buyer, orderId)
  assert.ok(slot && other)
  const key = randomUUID()
  assert.ok((await place(buyer, orderId, key, choices(slot.id))).ok)
  assert.ok((await place(buyer, orderId, key, choices(slot.id))).ok)
  assert.ok((await place(buyer, orderId, randomUUID(), choices(other.id))).ok)
  const kept = await appointmentNow(orderId)
  assert.equal(kept && slotId(kept), other.id)
  const home = { customerOrderId: orderId, idempotencyKey: randomUUID(), choices: [{ sellerId: 1, kind: 'standard', slotId: slot.id }] }
  assert.ok((await buyer.does((scope) => placeOrder(scope, home))).ok)
  assert.equal(await appointmentNow(orderId), null)
})
