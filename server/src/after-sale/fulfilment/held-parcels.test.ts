import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { testOperator, testSellerMember } from '@purlin/contract/testing.ts'
import type { Fate } from '@purlin/services/parcel-carrier/index.ts'
import { findPoint } from '#pickup'
import { settings, type Scope } from '#platform'
import { readRefundsOf } from '#refunds'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { addCustomer } from '../../people/accounts/testing.ts'
import * as checkoutJobs from '../../selling/checkout/jobs.ts'
import { addOffer, companiesIn, fillShop, newBuyer } from '../../selling/checkout/testing.ts'
import * as paymentJobs from '../../selling/payments/jobs.ts'
import { usePointFinder } from '../../selling/pickup/finder-of-shop.ts'
import { locationFinder } from '../../selling/pickup/location-finder.ts'
import { dropRefund } from '../../selling/refunds/drop-refund.ts'
import * as refundJobs from '../../selling/refunds/jobs.ts'
import { cards, testProvider } from '../../selling/refunds/testing.ts'
import { findReturnable } from '../returns/find-returnable.ts'
import * as returnJobs from '../returns/jobs.ts'
import { checkDeadlines } from './check-deadlines.ts'
import { acceptSale, shipLines } from './index.ts'
import * as jobsHere from './jobs.ts'
import type { ParcelEventKind } from './parcel.ts'
import { parcelToken } from './parcel-token.ts'
import { reportParcel } from './report-parcel.ts'
import { showShipments } from './show-shipments.ts'
import { readDues } from './store.ts'
import { trackParcel } from './track-parcel.ts'
import { testCarrier } from './test-carrier.ts'

/** Parcels that wait at a pick-up point: how long, who is reminded, and what becomes of those nobody collects. */

const database = await testDatabase()
await fillShop(database)
const relay = { kind: 'relay', fee: 340, daysMin: 2, daysMax: 4 }
const offer = { price: 1500, stock: 1000, delivery: [{ kind: 'standard', fee: 490, daysMin: 2, daysMax: 4 }, relay] }
await addOffer(database, { id: '8601', ...offer })
const gateway = await testGateway(database.pool)

const day = 86_400_000
const fates: Fate[] = []
let clock = Date.now()
const { server: post, settings: carrier } = await testCarrier(gateway.url, { now: () => clock, fateOf: () => fates.shift() ?? 'delivered' })
after(() => post.close())
usePointFinder(locationFinder(carrier))
const pointId = 'GB-00001'

const work = () =>
  runWork(
    database,
    [...paymentJobs.handlers, ...refundJobs.handlers, ...jobsHere.handlers, ...returnJobs.handlers],
    [...checkoutJobs.jobs, ...paymentJobs.jobs, ...jobsHere.jobs],
  )
const provider = await testProvider(database, gateway.url, work)
after(() => provider.close())

const seller: Partial<Scope> = { principal: testSellerMember({ sellerId: 1 }) }
async function pass(days: number): Promise<void> {
  clock += days * day
  await post.tick()
  await work()
}

const companies = companiesIn(database)
async function newConsumer() {
  const { id } = await addCustomer(database.db)
  return newBuyer(database, { principal: { kind: 'customer', id, email: `${id}@example.com`, name: 'Ann', market: 'gb' } })
}

/** An order for a pick-up point, paid and with the carrier. */
async function sent(fate: Fate, isPro = false) {
  clock = Date.now()
  const buyer = isPro ? await companies.join(await companies.newCompany(), 'admin') : await newConsumer()
  const choices = [{ sellerId: 1, kind: 'relay', pointId }]
  const orderId = await provider.paidOrder(buyer, [{ offerId: '8601', quantity: 2 }], cards.approved, choices)
  const sellerOrderId = `${orderId}-1`
  assert.ok((await database.command(seller, (scope) => acceptSale(scope, { sellerOrderId, lines: null }))).ok)
  fates.push(fate)
  const shipped = await database.command(seller, (scope) =>
    shipLines(scope, { sellerOrderId, lines: null, carrier: null, idempotencyKey: randomUUID() }),
  )
  assert.ok(shipped.ok)
  await work()
  const parcel = async () =>
    (await showShipments({ db: database.db, now: new Date(), market: 'gb' }, orderId, [sellerOrderId]))[0]?.parcels[0]
  const mails = async () =>
    (
      await database.pool.query<{ template: string; text: string }>(
        `select template, body_text as text from mail.mail where key like $1 or key like $2 order by id`,
        [`seller-order:${sellerOrderId}:%`, `parcel-${shipped.parcelId}-%`],
      )
    ).rows
  const kinds = async () => (await mails()).map(({ template }) => template)
  const dues = async () => (await readDues(database.db, [sellerOrderId])).map(({ kind }) => kind).toSorted()
  return { buyer, orderId, sellerOrderId, parcelId: shipped.parcelId ?? '', parcel, mails, kinds, dues }
}

/** Runs the reminders that are due within these days. */
async function remind(days: number): Promise<void> {
  await database.pool.query(
    `update platform.job set run_at = now() where name = 'fulfilment.remind-to-collect' and run_at < now() + $1::interval`,
    [`${days} days`],
  )
  await work()
}

test('R-129 a parcel at its pick-up point is held for a week: the buyer reads until when, in a mail with address and hours, on the order and by link', async () => {
  const at = await sent('delivered')
  await pass(3.3)
  const until = new Date(clock).getTime() + 7 * day
  const shown = await at.parcel()
  assert.equal(shown?.state, 'waiting-for-you')
  assert.equal(shown?.isLate, false)
  assert.ok(shown?.readyUntil && Math.abs(shown.readyUntil.getTime() - until) < day, String(shown?.readyUntil))
  const point = await findPoint(pointId)
  const ready = (await at.mails()).find(({ template }) => template === 'parcel-ready')
  const held = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'Europe/London' }).format(shown.readyUntil)
  for (const told of [point?.name ?? '?', point?.line1 ?? '?', held, '/track-my-parcel/']) assert.ok(ready?.text.includes(told), told)
  const token = parcelToken(settings().mail.linkSecret, at.parcelId)
  const tracked = await database.command({}, (scope) => trackParcel(scope, token))
  assert.deepEqual(tracked?.readyUntil, shown.readyUntil)
  // It is no longer expected at the door.
  assert.deepEqual(await at.dues(), ['collect'])
  await pass(1.5)
  assert.equal((await at.parcel())?.state, 'delivered')
  assert.equal((await at.parcel())?.readyUntil, null)
  await remind(11)
  assert.ok(!(await at.kinds()).includes('parcel-collect-soon'), 'what was collected needs no reminder')
})

for (const [who, isPro, refunded] of [
  ['a consumer', false, 3340],
  ['a professional', true, 3000],
] as const)
  test(`a parcel that ${who} does not collect is reminded of twice, goes back to its seller, and is paid back by the rules`, async () => {
    const at = await sent('returned', isPro)
    await pass(3.3)
    await remind(1)
    assert.ok(!(await at.kinds()).includes('parcel-collect-soon'))
    await remind(7)
    await remind(10)
    assert.deepEqual(
      (await at.kinds()).filter((kind) => kind.startsWith('parcel-')),
      ['parcel-ready', 'parcel-collect-soon', 'parcel-collect-soon'],
    )
    await pass(8.5)
    await work()
    const shown = await at.parcel()
    assert.equal(shown?.state, 'returned')
    assert.ok(shown?.readyUntil, 'pages say that it was not collected')
    assert.equal((await at.kinds()).at(-1), 'shipment-not-collected')
    assert.equal(await provider.refundedOf(at.orderId), refunded)
    const [shipment] = await showShipments({ db: database.db, now: new Date(), market: 'gb' }, at.orderId, [at.sellerOrderId])
    assert.deepEqual(
      shipment?.pieces.map(({ state, quantity }) => [state, quantity]),
      [['closed', 2]],
    )
    assert.match(shipment?.history.at(-1)?.label ?? '', /2 items were not collected/)
    assert.deepEqual(await at.dues(), [])
    const returnable = await at.buyer.does((scope) => findReturnable(scope, 'return.ask', at.orderId, at.sellerOrderId))
    assert.deepEqual([...(returnable?.pieces.values() ?? [])], [0], 'what was paid back is not returned once more')
    await database.pool.query(`update refunds.refund set state = 'on-hold' where customer_order_id = $1`, [at.orderId])
    const [refund] = await readRefundsOf(database.db, at.orderId)
    const operator = { principal: testOperator({ roles: [{ role: 'support', market: null }] }) }
    const drop = await database.command(operator, async (scope) => ({ ok: await dropRefund(scope, refund?.id ?? '') }))
    assert.equal(drop.ok, false, 'the goods are back: their price stays owed')
  })

test('a point that is silent after the time it holds a parcel: the seller is reminded, the operator told, then it is an incident without a refund', async () => {
  const at = await sent('delivered')
  await pass(3.3)
  const days = [7, 12, 20]
  for (const [index, told] of ['sale-reminder', 'sale-escalation', 'shipment-incident'].entries()) {
    await database.command({ now: new Date(clock + (days[index] ?? 0) * day + day) }, checkDeadlines)
    await work()
    const { rows } = await database.pool.query<{ text: string }>(
      `select body_text as text from mail.mail where template = $1 and key like $2`,
      [told, `%${at.sellerOrderId}:%`],
    )
    assert.equal(rows.length, 1, told)
    if (told === 'shipment-incident') assert.match(rows[0]?.text ?? '', /Please report it from your order by \d+ \w+\./)
  }
  const [shipment] = await showShipments({ db: database.db, now: new Date(), market: 'gb' }, at.orderId, [at.sellerOrderId])
  assert.deepEqual(
    shipment?.pieces.map(({ state }) => state),
    ['incident-open'],
  )
  assert.match(shipment?.history.at(-1)?.label ?? '', /does not say whether/)
  assert.equal(await provider.refundedOf(at.orderId), 0)
  // It had been collected after all.
  await pass(2)
  assert.equal((await at.parcel())?.state, 'delivered')
  const [arrived] = await showShipments({ db: database.db, now: new Date(), market: 'gb' }, at.orderId, [at.sellerOrderId])
  assert.deepEqual(
    arrived?.pieces.map(({ state }) => state),
    ['delivered'],
  )
})

test('a seller’s own carrier has a week, too', async () => {
  const buyer = newBuyer(database)
  const orderId = await provider.paidOrder(buyer, [{ offerId: '8601', quantity: 1 }])
  const sellerOrderId = `${orderId}-1`
  await database.command(seller, (scope) => acceptSale(scope, { sellerOrderId, lines: null }))
  const carrier = { name: 'Own Van', trackingNumber: `VAN${randomUUID().slice(0, 8)}` }
  const shipped = await database.command(seller, (scope) =>
    shipLines(scope, { sellerOrderId, lines: null, carrier, idempotencyKey: randomUUID() }),
  )
  const parcelId = shipped.ok ? (shipped.parcelId ?? '') : ''
  await database.command(seller, (scope) => reportParcel(scope, { parcelId, kind: 'at-pick-up-point', place: 'Leeds' }))
  const [shipment] = await showShipments({ db: database.db, now: new Date(), market: 'gb' }, orderId, [sellerOrderId])
  const until = shipment?.parcels[0]?.readyUntil?.getTime() ?? 0
  assert.ok(Math.abs(until - Date.now() - 7 * day) < 60_000)
  // Reported again and again, the buyer is told once; and what has been delivered waits nowhere any more.
  const report = (kind: ParcelEventKind) => database.command(seller, (scope) => reportParcel(scope, { parcelId, kind, place: 'Leeds' }))
  await setTimeout(5)
  assert.ok((await report('at-pick-up-point')).ok)
  const { rows } = await database.pool.query(`select 1 from mail.mail where key like $1`, [`parcel-${parcelId}-ready-%`])
  assert.equal(rows.length, 1)
  assert.ok((await report('delivered')).ok)
  assert.deepEqual(await report('at-pick-up-point'), { ok: false, reason: 'not-allowed' })
})

test('R-482 a parcel that arrives long after its day leaves the incident, also when another one of the same line has not arrived either', async () => {
  const orderId = await provider.paidOrder(newBuyer(database), [{ offerId: '8601', quantity: 2 }])
  const sellerOrderId = `${orderId}-1`
  await database.command(seller, (scope) => acceptSale(scope, { sellerOrderId, lines: null }))
  const parcelIds: string[] = []
  for (const idempotencyKey of [randomUUID(), randomUUID()]) {
    const ownVan = { name: 'Own Van', trackingNumber: `VAN${idempotencyKey.slice(0, 8)}` }
    const shipping = { sellerOrderId, lines: [{ offerId: '8601', quantity: 1 }], carrier: ownVan, idempotencyKey }
    const shipped = await database.command(seller, (scope) => shipLines(scope, shipping))
    assert.ok(shipped.ok)
    parcelIds.push(shipped.parcelId ?? '')
    await work()
  }
  const piecesOf = async () => {
    const [shipment] = await showShipments({ db: database.db, now: new Date(), market: 'gb' }, orderId, [sellerOrderId])
    return Object.fromEntries(shipment?.pieces.map(({ state, quantity }) => [state, quantity]) ?? [])
  }
  for (const days of [30, 60, 90]) await database.command({ now: new Date(Date.now() + days * day) }, checkDeadlines)
  await work()
  assert.deepEqual(await piecesOf(), { 'incident-open': 2 })
  const [parcelId = ''] = parcelIds
  assert.ok((await database.command(seller, (scope) => reportParcel(scope, { parcelId, kind: 'delivered', place: null }))).ok)
  assert.deepEqual(await piecesOf(), { delivered: 1, 'incident-open': 1 })
})
