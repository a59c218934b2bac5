import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { testSellerMember } from '@purlin/contract/testing.ts'
import { signatureOf } from '@purlin/services/parcel-carrier/index.ts'
import { moveLines } from '#orders'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runJobsAt, runWork } from '../../edges/worker/testing.ts'
import * as checkoutJobs from '../../selling/checkout/jobs.ts'
import { addOffer, fillShop, newBuyer, type Buyer } from '../../selling/checkout/testing.ts'
import * as paymentJobs from '../../selling/payments/jobs.ts'
import * as refundJobs from '../../selling/refunds/jobs.ts'
import { testProvider } from '../../selling/refunds/testing.ts'
import { carrierOfShop, useCarrier } from '../fulfilment/carrier-of-shop.ts'
import { jobs as parcelJobs } from '../fulfilment/jobs.ts'
import { testCarrier } from '../fulfilment/test-carrier.ts'
import { cancelLines } from './cancel-lines.ts'
import { findReturning } from './find-returning.ts'
import { handleReturn, stepByBuyer, type ReturnDeed } from './handle-return.ts'
import { handlers, jobs, schedules } from './jobs.ts'
import { requestReturn } from './request-return.ts'

/** Return parcels with labels of the shop's carrier, which reports them by signed messages. */

const database = await testDatabase()
await fillShop(database)
await addOffer(database, { id: '8401', stock: 1000, price: 2000 })
const work = () =>
  runWork(database, [...paymentJobs.handlers, ...refundJobs.handlers, ...handlers], [...checkoutJobs.jobs, ...paymentJobs.jobs, ...jobs])
const gateway = await testGateway(database.pool)
const provider = await testProvider(database, gateway.url, work)
let clock = Date.now()
const { server: post, settings: carrier } = await testCarrier(gateway.url, { now: () => clock, isSilent: () => true })
after(async () => {
  await post.close()
  await provider.close()
})

const day = 86_400_000
const minute = 60_000

interface Parcel {
  state: string
  trackingNumber: string | null
  labelFile: string | null
}
async function see(id: string): Promise<Parcel> {
  const { rows } = await database.pool.query<Parcel>(
    'select state, tracking_number as "trackingNumber", label_file as "labelFile" from returns.request where id = $1',
    [id],
  )
  assert.ok(rows[0])
  return rows[0]
}
const lines = [{ offerId: '8401', quantity: 1 }]
const askFor = (buyer: Buyer, orderId: string) =>
  buyer.does((scope) =>
    requestReturn(scope, {
      customerOrderId: orderId,
      sellerOrderId: `${orderId}-1`,
      lines,
      reason: 'changed-mind',
      wish: 'refund',
      method: 'label',
      description: '',
      photos: [],
    }),
  )
/** One piece is accepted, sent and delivered. */
async function arrive(orderId: string): Promise<void> {
  for (const [actor, from, to] of [
    ['seller', 'pending', 'accepted'],
    ['seller', 'accepted', 'shipped'],
    ['carrier', 'shipped', 'delivered'],
  ] as const)
    await database.command({}, (scope) =>
      moveLines(scope, { sellerOrderId: `${orderId}-1`, actor, reason: 'test', moves: lines.map((line) => ({ ...line, from, to })) }),
    )
}
/** A return of one delivered piece, with its label. */
async function labelled(): Promise<{ orderId: string; id: string; buyer: Buyer; trackingNumber: string }> {
  const buyer = newBuyer(database)
  const orderId = await provider.paidOrder(buyer, lines)
  await arrive(orderId)
  const asked = await askFor(buyer, orderId)
  assert.ok(asked.ok, JSON.stringify(asked))
  await work()
  const { trackingNumber } = await see(asked.id)
  assert.ok(trackingNumber)
  return { orderId, id: asked.id, buyer, trackingNumber }
}
const handle = async (id: string, deed: Partial<ReturnDeed> & Pick<ReturnDeed, 'do'>): Promise<void> => {
  const done = await database.command({ principal: testSellerMember({ sellerId: 1 }) }, (scope) =>
    handleReturn(scope, id, { finding: '', amount: null, note: null, ...deed }),
  )
  assert.ok(done.ok, JSON.stringify(done))
}
const statuses = {
  scanned: ['in_transit', 'received_at_origin_facility'],
  out: ['out_for_delivery', 'out_for_delivery'],
  delivered: ['delivered', 'delivered'],
  returned: ['return_to_sender', 'return'],
} as const
/** The carrier's message about a parcel, with everything that has happened to it, at these minutes. */
async function report(trackingNumber: string, events: readonly (readonly [kind: keyof typeof statuses, minutes: number])[]): Promise<void> {
  const begin = Date.now() - 60 * minute
  const body = JSON.stringify({
    id: `evt_${randomUUID()}`,
    description: 'tracker.updated',
    result: {
      tracking_code: trackingNumber,
      tracking_details: events.map(([kind, minutes]) => ({
        status: statuses[kind][0],
        status_detail: statuses[kind][1],
        datetime: new Date(begin + minutes * minute).toISOString(),
      })),
    },
  })
  const headers = signatureOf(carrier.webhookSecret, { path: '/webhooks/carrier', body, at: new Date() })
  const answer = await fetch(`${gateway.url}/webhooks/carrier`, { method: 'POST', body, headers })
  assert.equal(answer.status, 200)
  await work()
}
const dayOf = (days: number) => new Date(Date.now() + days * day)
/** The schedules of that day, and the jobs that are due by then. */
async function pass(days: number): Promise<void> {
  const now = dayOf(days)
  for (const { run } of schedules.filter(({ name }) => name !== 'returns.forget-old')) await database.command({ now }, run)
  const later = `update platform.job set name = 'later.' || name where name like 'returns.%' and run_at > $1`
  await database.pool.query(later, [now])
  await runJobsAt(database, jobs, now)
  await database.pool.query(`update platform.job set name = substr(name, 7) where name like 'later.%'`)
  await work()
}
const mailsOf = async (id: string) =>
  (
    await database.pool.query<{ subject: string; text: string }>(
      `select subject, body_text as text from mail.mail where key like $1 and template = 'return' order by id`,
      [`return:${id}:%`],
    )
  ).rows
/** The town of the buyer, as the carrier has it. */
const townOf = async (reference: string) => {
  const authorization = `Basic ${Buffer.from(`${carrier.apiKey}:`).toString('base64')}`
  const answer = await fetch(`${carrier.url}/v2/shipments/${reference}`, { headers: { authorization } })
  const { tracker } = (await answer.json()) as { tracker?: { tracking_details: { tracking_location: { city: string | null } }[] } }
  return tracker?.tracking_details[0]?.tracking_location.city
}

test('R-484 goods that the carrier brings back without having tried to deliver them get a new label, with which they are proved to be sent', async () => {
  const { orderId, id, buyer, trackingNumber: first } = await labelled()
  await report(first, [['scanned', 0]])
  assert.equal((await see(id)).state, 'in-transit')
  await report(first, [
    ['scanned', 0],
    ['returned', 10],
  ])
  const { state, trackingNumber: second, labelFile } = await see(id)
  assert.equal(state, 'label-sent')
  assert.ok(second && labelFile && second !== first)
  const mails = await mailsOf(id)
  assert.match(mails.at(-1)?.subject ?? '', /again with its new label/)
  assert.match(mails.at(-1)?.text ?? '', /bringing it back to you[^]*label on the parcel is no longer valid/)
  // The old parcel is over, whatever is still said about it.
  await report(first, [
    ['scanned', 0],
    ['returned', 10],
    ['delivered', 20],
  ])
  assert.equal((await see(id)).state, 'label-sent')

  assert.ok((await buyer.does((scope) => stepByBuyer(scope, id, 'in-transit'))).ok)
  await report(second, [['scanned', 30]])
  await pass(7.1)
  await pass(14.2)
  assert.equal((await see(id)).state, 'refunded')
  assert.equal(await provider.refundedOf(orderId), 2490, 'with the delivery')
})

test('R-484 a parcel that its seller did not accept at the door proves that the goods were sent, and the buyer is refunded as planned', async () => {
  const { orderId, id, trackingNumber } = await labelled()
  await report(trackingNumber, [
    ['scanned', 0],
    ['out', 10],
  ])
  await report(trackingNumber, [
    ['scanned', 0],
    ['out', 10],
    ['returned', 20],
  ])
  assert.deepEqual([(await see(id)).state, (await see(id)).trackingNumber], ['in-transit', trackingNumber])
  await pass(7.1)
  await pass(14.2)
  assert.equal((await see(id)).state, 'refunded')
  assert.equal(await provider.refundedOf(orderId), 2490, 'with the delivery')
})

test('R-484 an older report of the carrier that arrives after a newer one changes nothing', async () => {
  const { id, trackingNumber } = await labelled()
  const mistaken = [
    ['scanned', 0],
    ['returned', 10],
  ] as const
  await report(trackingNumber, [...mistaken, ['delivered', 20]])
  assert.equal((await see(id)).state, 'in-transit')
  await report(trackingNumber, mistaken)
  assert.deepEqual([(await see(id)).state, (await see(id)).trackingNumber], ['in-transit', trackingNumber])
})

test('R-484 goods that the carrier reports after their return has lapsed are on their way with proof, unless their pieces are returned anew', async () => {
  const [late, anew] = [await labelled(), await labelled()]
  await pass(14.1)
  await pass(21.2)
  assert.deepEqual([(await see(late.id)).state, (await see(anew.id)).state], ['lapsed', 'lapsed'])
  const again = await askFor(anew.buyer, anew.orderId)
  assert.ok(again.ok)
  for (const { trackingNumber } of [late, anew]) await report(trackingNumber, [['scanned', 0]])
  assert.deepEqual([(await see(late.id)).state, (await see(anew.id)).state], ['in-transit', 'lapsed'])
  assert.ok((await findReturning(database.db, [`${late.orderId}-1`])).size === 1, 'the seller’s money waits again')
  await pass(7.1)
  await pass(14.2)
  assert.equal(await provider.refundedOf(late.orderId), 2490)
})

test('R-484 a piece whose lapsed return is followed by another does not come back a second time by the old label, though more pieces were ordered', async () => {
  const buyer = newBuyer(database)
  const orderId = await provider.paidOrder(buyer, [{ offerId: '8401', quantity: 2 }])
  const part = { customerOrderId: orderId, sellerOrderId: `${orderId}-1` }
  assert.ok((await buyer.does((scope) => cancelLines(scope, { ...part, lines, reason: 'changed-mind' }))).ok)
  await arrive(orderId)
  await work()
  const cancelled = await provider.refundedOf(orderId)
  const first = await askFor(buyer, orderId)
  assert.ok(first.ok)
  await work()
  const { trackingNumber } = await see(first.id)
  await pass(14.1)
  await pass(21.2)
  assert.equal((await see(first.id)).state, 'lapsed')
  const second = await askFor(buyer, orderId)
  assert.ok(second.ok)
  await handle(second.id, { do: 'receive' })
  await handle(second.id, { do: 'inspect', finding: 'used' })
  await handle(second.id, { do: 'refund', amount: 500, note: 'Worn out' })
  await work()
  const refunded = await provider.refundedOf(orderId)
  assert.ok(refunded > cancelled)
  await report(trackingNumber ?? '', [['scanned', 0]])
  assert.equal((await see(first.id)).state, 'lapsed')
  assert.equal((await findReturning(database.db, [part.sellerOrderId])).size, 0, 'the seller’s money does not wait')
  await pass(7.1)
  await pass(14.2)
  assert.equal(await provider.refundedOf(orderId), refunded, 'the deduction stands')
})

test('R-484 the carrier is asked about goods whose first scan it has not reported: before the reminder, and again before their return lapses', async () => {
  const [soon, late] = [await labelled(), await labelled()]
  for (const { id, buyer } of [soon, late]) assert.ok((await buyer.does((scope) => stepByBuyer(scope, id, 'in-transit'))).ok)
  const subjects = async ({ id }: { id: string }) => (await mailsOf(id)).map(({ subject }) => subject).join()
  await database.pool.query(`update returns.request set updated_at = now() - interval '1 day' where id = $1`, [late.id])
  await pass(6.5)
  assert.match(await subjects(late), /have not arrived yet/)
  try {
    clock += day
    for (const days of [7.1, 7.2, 14.3, 20.1]) await pass(days)
  } finally {
    clock = Date.now()
  }
  assert.doesNotMatch(await subjects(soon), /have not arrived yet/)
  assert.equal(await provider.refundedOf(soon.orderId), 2490, 'two weeks after the scan')
  assert.deepEqual(
    [(await see(late.id)).state, await provider.refundedOf(late.orderId)],
    ['in-transit', 0],
    'its time begins with the scan',
  )
})

test('R-484 the carrier is asked about goods whose buyer is reminded to hand them over', async () => {
  const { id } = await labelled()
  try {
    clock += day
    await pass(14.1)
  } finally {
    clock = Date.now()
  }
  assert.equal((await see(id)).state, 'in-transit')
})

test('R-484 a carrier that fails for half a day keeps no return from its reminder, and none from its end', async () => {
  const { id, buyer } = await labelled()
  assert.ok((await buyer.does((scope) => stepByBuyer(scope, id, 'in-transit'))).ok)
  const real = carrierOfShop()
  assert.ok(real)
  useCarrier({ ...real, track: () => Promise.reject(new Error('The carrier is down')) })
  /** The job's next attempt, after so many that have failed. */
  const attemptAfter = async (failures: number, name: string): Promise<void> => {
    await database.pool.query('update platform.job set attempts = $2, run_at = now() where name = $1', [name, failures])
    await runWork(database, [], jobs)
  }
  const subjects = async () => (await mailsOf(id)).map(({ subject }) => subject).join()
  try {
    for (const { run } of schedules.filter(({ name }) => name === 'returns.remind-of-awaited'))
      await database.command({ now: dayOf(7.1) }, run)
    await attemptAfter(148, 'returns.remind-of-unseen')
    assert.doesNotMatch(await subjects(), /have not arrived yet/)
    await attemptAfter(149, 'returns.remind-of-unseen')
    assert.match(await subjects(), /have not arrived yet/)
    await attemptAfter(148, 'returns.end-awaited')
    assert.equal((await see(id)).state, 'in-transit')
    await attemptAfter(149, 'returns.end-awaited')
    assert.equal((await see(id)).state, 'lapsed')
  } finally {
    useCarrier(real)
  }
})

test('six months later the carrier has lost the address on every label of a return', async () => {
  const { id, trackingNumber } = await labelled()
  await report(trackingNumber, [
    ['scanned', 0],
    ['returned', 10],
  ])
  assert.ok((await townOf(id)) && (await townOf(`${id}-1`)))
  for (const { run } of schedules.filter(({ name }) => name === 'returns.forget-old')) await database.command({ now: dayOf(190) }, run)
  await runWork(database, [], parcelJobs)
  assert.deepEqual([await townOf(id), await townOf(`${id}-1`)], [null, null])
})

test('a claim that its seller accepts after seven months gets a label, which stays for six months', async () => {
  const { orderId, buyer } = await labelled()
  await database.pool.query(`update returns.request set state = 'closed' where customer_order_id = $1`, [orderId])
  const claim = { customerOrderId: orderId, sellerOrderId: `${orderId}-1`, lines, method: 'label' } as const
  const asked = await buyer.does((scope) =>
    requestReturn(scope, { ...claim, reason: 'missing-part', wish: 'refund', description: 'No lid', photos: [] }),
  )
  assert.ok(asked.ok)
  await work()
  const then = `now() - interval '7 months'`
  await database.pool.query(`update returns.request set requested_at = ${then}, updated_at = ${then} where id = $1`, [asked.id])
  const forgetOld = async (now: Date) => {
    for (const { run } of schedules.filter(({ name }) => name === 'returns.forget-old')) await database.command({ now }, run)
  }
  await forgetOld(new Date())
  const principal = testSellerMember({ sellerId: 1 })
  const accepted = await database.command({ principal }, (scope) =>
    handleReturn(scope, asked.id, { do: 'accept', finding: '', amount: null, note: null }),
  )
  assert.ok(accepted.ok, JSON.stringify(accepted))
  await work()
  await forgetOld(dayOf(170))
  assert.ok((await see(asked.id)).labelFile)
  await forgetOld(dayOf(190))
  assert.equal((await see(asked.id)).labelFile, null)
})
