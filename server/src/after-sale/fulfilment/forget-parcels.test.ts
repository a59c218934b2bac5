import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after as afterAll, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectObjectStore, folderStore } from '#files'
import type { Scope } from '#platform'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { jobs as fileJobs } from '../../foundation/files/jobs.ts'
import { addStaff, signIn } from '../../people/accounts/testing.ts'
import { fillShop } from '../../selling/checkout/testing.ts'
import { filesThatSay } from '../privacy/test-scan.ts'
import { aggregatorCarrier } from './aggregator-carrier.ts'
import { useCarrier } from './carrier-of-shop.ts'
import { forgetParcels } from './forget-parcels.ts'
import { handlers, jobs, schedules } from './jobs.ts'
import { recordNews } from './record-news.ts'
import { testCarrier } from './test-carrier.ts'
import { paidOrder } from './testing.ts'

/** The end of what shop and carrier know of a parcel's recipient. */

const database = await testDatabase()
await fillShop(database)
const gateway = await testGateway(database.pool)
const folder = mkdtempSync(join(tmpdir(), 'forget-parcels-'))
const day = 86_400_000
let clock = Date.now()
const carrier = await testCarrier(gateway.url, { now: () => clock, fateOf: () => 'delivered', file: join(folder, 'parcels.sqlite') })
connectObjectStore(folderStore(join(folder, 'files')))
afterAll(async () => {
  await carrier.server.close()
  rmSync(folder, { recursive: true })
})
const work = () => runWork(database, handlers, [...jobs, ...fileJobs])

const person = { firstName: 'Quirinus', lastName: 'Zwackelmann', line1: '77 Zeppelin Crescent', postcode: 'EC1A 1BB', city: 'Zedtown' }
const words = ['quirinus', 'zwackelmann', 'zeppelin', 'zedtown']
const staff = await addStaff(database.db, { sellerId: 1, roles: [{ role: 'seller', market: null }] })
const cookie = `__Host-purlin-staff=${(await signIn(database.db, { staffId: staff.id, family: 'staff' })).token}`

async function packed(): Promise<string> {
  const { orderId, part } = await paidOrder(database, [[1, 1]])
  await database.pool.query('update orders.customer_order set address = address || $2 where id = $1', [orderId, JSON.stringify(person)])
  for (const act of ['acceptSale(', `shipSale(idempotencyKey: "${randomUUID()}", `])
    await gateway.post(`mutation { ${act}sellerOrderId: "${part(1)}") { outcome { state } } }`, {}, { cookie })
  return orderId
}
async function delivered(): Promise<string> {
  const orderId = await packed()
  await work()
  clock += 8 * day
  await carrier.server.tick()
  await work()
  return orderId
}
const placesOf = async (orderId: string) =>
  (
    await database.pool.query<{ place: string }>(
      `select distinct place from fulfilment.parcel_event e join fulfilment.parcel p on p.id = e.parcel_id
        where customer_order_id = $1 and place is not null`,
      [orderId],
    )
  ).rows.map(({ place }) => place)
/** The hourly job, so many days after six months from now. */
async function after(days: number): Promise<void> {
  const now = new Date()
  now.setUTCMonth(now.getUTCMonth() + 6)
  now.setUTCDate(now.getUTCDate() + days)
  for (const { run } of schedules.filter(({ name }) => name === 'fulfilment.forget-old')) await database.command({ now }, run)
  await work()
}
/** The folders, below that of the test, with files that name the person. */
const saidIn = () => [...new Set(filesThatSay(folder, words).map((file) => file.slice(folder.length + 1).split(/[/.]/)[0]))].toSorted()

test('the recipient of a parcel is removed from shop and carrier, label and places included; a carrier that is down is asked again', async () => {
  const orderId = await delivered()
  assert.deepEqual(saidIn(), ['files', 'parcels'])
  assert.deepEqual(await placesOf(orderId), ['Zedtown'])
  useCarrier({ ...aggregatorCarrier(carrier.settings), forget: () => Promise.reject(new Error('The carrier is down')) })
  await database.command({}, ({ db }) => forgetParcels(db, [orderId]))
  await work()
  assert.deepEqual(await placesOf(orderId), [])
  assert.deepEqual(saidIn(), ['parcels'])
  useCarrier(aggregatorCarrier(carrier.settings))
  await database.pool.query('update platform.job set run_at = now()')
  await work()
  assert.deepEqual(saidIn(), [])
})

test('six months after it was sent a parcel has no label, no places, and no recipient at the carrier, but its events', async () => {
  const orderId = await delivered()
  await after(-1)
  assert.deepEqual([saidIn(), await placesOf(orderId)], [['files', 'parcels'], ['Zedtown']])
  await after(1)
  assert.deepEqual([saidIn(), await placesOf(orderId)], [[], []])
  const { rows } = await database.pool.query<{ kind: string }>(
    'select kind from fulfilment.parcel_event e join fulfilment.parcel p on p.id = e.parcel_id where customer_order_id = $1',
    [orderId],
  )
  assert.ok(rows.some(({ kind }) => kind === 'delivered'))
})

/** A parcel at the carrier, which reports it in Zedtown. */
async function underWay() {
  const orderId = await packed()
  await work()
  const { rows } = await database.pool.query<{ trackingNumber: string }>(
    'select tracking_number as "trackingNumber" from fulfilment.parcel where customer_order_id = $1',
    [orderId],
  )
  const { trackingNumber = '' } = rows[0] ?? {}
  const reportIn = (scope: Scope, sourceId: string, at = new Date()) =>
    recordNews(scope, {
      trackingNumber,
      expectedBy: null,
      heldUntil: null,
      events: [{ kind: 'in-transit', at, place: 'Zedtown', sourceId }],
    })
  return { orderId, reportIn }
}

test('what is reported of a parcel after it was forgotten is recorded without the place', async () => {
  const { orderId, reportIn } = await underWay()
  const report = (sourceId: string, at: Date) => database.command({}, (scope) => reportIn(scope, sourceId, at))
  await report('before', new Date(Date.now() - day))
  assert.deepEqual(await placesOf(orderId), ['Zedtown'])
  await database.command({}, ({ db }) => forgetParcels(db, [orderId]))
  await work()
  await report('after', new Date())
  assert.deepEqual(await placesOf(orderId), [])
  const { rows: events } = await database.pool.query(
    `select place from fulfilment.parcel_event e join fulfilment.parcel p on p.id = e.parcel_id where customer_order_id = $1 and source_id = 'after'`,
    [orderId],
  )
  assert.deepEqual(events, [{ place: null }])
})

test('the place of a report that is still being recorded when its parcel is forgotten is removed, too', async () => {
  const { orderId, reportIn } = await underWay()
  const isWaiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  let forgetting: Promise<unknown> | undefined
  let hasEnded = false
  await database.command({}, async (scope) => {
    await reportIn(scope, 'meanwhile')
    forgetting = database.command({}, ({ db }) => forgetParcels(db, [orderId])).finally(() => (hasEnded = true))
    while (!hasEnded && (await database.pool.query(isWaiting)).rows.length === 0) await sleep(10)
  })
  await forgetting
  await work()
  const { rows } = await database.pool.query(
    `select e.place from fulfilment.parcel_event e join fulfilment.parcel p on p.id = e.parcel_id where customer_order_id = $1 and source_id = 'meanwhile'`,
    [orderId],
  )
  assert.deepEqual(rows, [{ place: null }])
})

test('the recipient of a parcel whose label was never stored is removed from the carrier after six months, too, and the carrier is asked once', async () => {
  const real = aggregatorCarrier(carrier.settings)
  let asked = 0
  useCarrier({
    ...real,
    book: async (...booking) => {
      await real.book(...booking)
      throw new Error('The label got lost')
    },
    forget: (...forgotten) => {
      asked++
      return real.forget(...forgotten)
    },
  })
  await packed()
  await work()
  assert.deepEqual(saidIn(), ['parcels'])
  await after(-1)
  assert.deepEqual(saidIn(), ['parcels'])
  await after(1)
  assert.deepEqual(saidIn(), [])
  assert.equal(asked, 1)
  await after(1)
  assert.equal(asked, 1, 'a parcel that has been forgotten')
})

test('a parcel that is forgotten while it is being booked keeps no label, and the carrier is asked once more', async () => {
  await database.pool.query(`delete from platform.job where name = 'fulfilment.book'`)
  const orderId = await packed()
  const real = aggregatorCarrier(carrier.settings)
  useCarrier({
    ...real,
    book: async (...booking) => {
      await database.command({}, ({ db }) => forgetParcels(db, [orderId]))
      // As if the carrier had been asked meanwhile, and had not known the parcel.
      await database.pool.query(`delete from platform.job where name = 'fulfilment.forget-at-carrier'`)
      return real.book(...booking)
    },
  })
  await work()
  assert.deepEqual(saidIn(), [])
})
