import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { testSellerMember } from '@purlin/contract/testing.ts'
import { ownerOf } from '#accounts'
import { moveLines, quantityStates, type LineMove } from '#orders'
import { newId } from '#platform'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { insertUpload, settleUpload } from '../../people/uploads/store.ts'
import * as checkoutJobs from '../../selling/checkout/jobs.ts'
import { addOffer, fillShop, newBuyer } from '../../selling/checkout/testing.ts'
import * as paymentJobs from '../../selling/payments/jobs.ts'
import * as refundJobs from '../../selling/refunds/jobs.ts'
import { testProvider } from '../../selling/refunds/testing.ts'
import { endIncidentAsOperator, endUnclaimed } from '../disputes/end-unclaimed.ts'
import { reportParcel, shipLines } from '../fulfilment/index.ts'
import { acceptOrSendAgain } from './accept-or-send-again.ts'
import { handleReturn, stepByBuyer, type ReturnDeed } from './handle-return.ts'
import { handlers } from './jobs.ts'
import { requestReturn } from './request-return.ts'
import { showReturn } from './show-return.ts'

/** Two pieces of one line in two parcels, of which the carrier loses one and brings one back. (decision 114) */

const database = await testDatabase()
await fillShop(database)
await addOffer(database, { id: '8501', stock: 1000, price: 2000 })
const work = () =>
  runWork(database, [...paymentJobs.handlers, ...refundJobs.handlers, ...handlers], [...checkoutJobs.jobs, ...paymentJobs.jobs])
const gateway = await testGateway(database.pool)
const provider = await testProvider(database, gateway.url, work)
after(() => provider.close())

const [one, two] = [1, 2].map((quantity) => [{ offerId: '8501', quantity }]) as [Pieces, Pieces]
type Pieces = { offerId: string; quantity: number }[]
const asSeller = { principal: testSellerMember({ sellerId: 1 }) }

interface Step {
  actor: 'seller' | 'carrier'
  from: LineMove['from']
  to: LineMove['to']
  pieces: Pieces
  reason?: string
}
async function step(orderId: string, { actor, from, to, pieces, reason = 'test' }: Step): Promise<void> {
  const moves = pieces.map((piece) => ({ ...piece, from, to }))
  const moved = await database.command({}, (scope) => moveLines(scope, { sellerOrderId: `${orderId}-1`, actor, reason, moves }))
  assert.ok(moved.ok)
  await work()
}
async function sent(orderId: string): Promise<void> {
  await step(orderId, { actor: 'seller', from: 'pending', to: 'accepted', pieces: two })
  await step(orderId, { actor: 'seller', from: 'accepted', to: 'shipped', pieces: two })
}
/** Each piece in a parcel of its own. */
async function sentInTwoParcels(orderId: string): Promise<[string, string]> {
  await step(orderId, { actor: 'seller', from: 'pending', to: 'accepted', pieces: two })
  return [await shipped(orderId), await shipped(orderId)]
}
async function shipped(orderId: string): Promise<string> {
  const carrier = { name: 'Own Van', trackingNumber: `VAN${randomUUID().slice(0, 8)}` }
  const idempotencyKey = randomUUID()
  const done = await database.command(asSeller, (scope) =>
    shipLines(scope, { sellerOrderId: `${orderId}-1`, lines: one, carrier, idempotencyKey }),
  )
  assert.ok(done.ok && done.parcelId !== null)
  await work()
  return done.parcelId
}
/** One parcel comes back to the seller; the other one is lost, but found and delivered. */
async function oneBackOneFound(orderId: string): Promise<void> {
  const [back, lost] = await sentInTwoParcels(orderId)
  for (const [parcelId, kind] of [
    [back, 'returned'],
    [lost, 'lost'],
    [lost, 'delivered'],
  ] as const) {
    assert.ok((await database.command(asSeller, (scope) => reportParcel(scope, { parcelId, kind, place: null }))).ok)
    await work()
  }
  assert.deepEqual(await piecesOf(orderId), { 'incident-open': 1, delivered: 1 })
}
async function reported(orderId: string, reasons: readonly string[]): Promise<void> {
  for (const reason of reasons) await step(orderId, { actor: 'carrier', from: 'shipped', to: 'incident-open', pieces: one, reason })
}
const accept = (orderId: string, lines: Pieces) =>
  database.command(asSeller, (scope) => acceptOrSendAgain(scope, { sellerOrderId: `${orderId}-1`, lines }))
const stock = async () =>
  (await database.pool.query<{ stock: number }>('select stock from catalogue.offer where id = 8501')).rows[0]?.stock ?? 0
const piecesOf = async (orderId: string) => (await quantityStates(database.db, [`${orderId}-1`]))[0]?.quantities

for (const reasons of [
  ['carrier-lost', 'returned-to-sender'],
  ['returned-to-sender', 'carrier-lost'],
] as const) {
  test(`R-482 the seller sends again the piece that has come back, not the one that was lost (${reasons.join(', then ')})`, async () => {
    const id = await provider.paidOrder(newBuyer(database), two)
    await sent(id)
    const before = await stock()
    await reported(id, reasons)
    assert.deepEqual(await accept(id, two), { ok: false, reason: 'not-in-this-state' })
    assert.ok((await accept(id, one)).ok)
    assert.deepEqual(await accept(id, one), { ok: false, reason: 'not-in-this-state' }, 'the other one is lost')
    assert.deepEqual(await piecesOf(id), { accepted: 1, 'incident-open': 1 })
    assert.equal(await stock(), before)
  })

  test(`R-482 the operator sends both again, and one is taken from stock in place of the lost one (${reasons.join(', then ')})`, async () => {
    const id = await provider.paidOrder(newBuyer(database), two)
    await sent(id)
    const before = await stock()
    await reported(id, reasons)
    assert.ok((await database.command({}, (scope) => endIncidentAsOperator(scope, `${id}-1`, 'send-again'))).ok)
    assert.deepEqual(await piecesOf(id), { accepted: 2 })
    assert.equal(await stock(), before - 1)
  })

  test(`R-135 of the buyer’s own goods the lost piece is paid back, and the one that has come back is not (${reasons.join(', then ')})`, async () => {
    const { id, back } = await sentBackAfterRefusal()
    await reported(back, reasons)
    await endAfter(back, 15)
    assert.equal(await provider.refundedOf(id), 2000 + 245, 'with its share of the delivery charge')
    assert.deepEqual(await piecesOf(back), { closed: 1, 'incident-open': 1 })
    await endAfter(back, 31)
    assert.deepEqual([await piecesOf(back), await provider.refundedOf(id)], [{ closed: 2 }, 2000 + 245])
  })
}

test('R-482 when a lost parcel is found and arrives, the seller still sends the piece that has come back, and nothing is taken from stock for it', async () => {
  const id = await provider.paidOrder(newBuyer(database), two)
  await sent(id)
  const before = await stock()
  await reported(id, ['returned-to-sender', 'carrier-lost'])
  await step(id, { actor: 'carrier', from: 'incident-open', to: 'delivered', pieces: one, reason: 'delivered' })
  assert.ok((await accept(id, one)).ok)
  assert.deepEqual([await piecesOf(id), await stock()], [{ accepted: 1, delivered: 1 }, before])
})

test('R-135 when a lost parcel of the buyer’s own goods is found and arrives, the piece that has come back is not paid', async () => {
  const { id, back } = await sentBackAfterRefusal()
  await reported(back, ['returned-to-sender', 'carrier-lost'])
  await step(back, { actor: 'carrier', from: 'incident-open', to: 'delivered', pieces: one, reason: 'delivered' })
  await endAfter(back, 15)
  assert.deepEqual([await piecesOf(back), await provider.refundedOf(id)], [{ delivered: 1, 'incident-open': 1 }, 0])
})

test('R-482 pieces that were lost and came back days apart are paid back each at its time', async () => {
  const id = await provider.paidOrder(newBuyer(database), two)
  await sent(id)
  await reported(id, ['carrier-lost', 'returned-to-sender'])
  const early = `update orders.line_move set at = at - interval '10 days' where seller_order_id = $1 and reason = 'returned-to-sender'`
  await database.pool.query(early, [`${id}-1`])
  await endAfter(id, 5)
  assert.deepEqual(await piecesOf(id), { closed: 1, 'incident-open': 1 })
  await endAfter(id, 15)
  assert.deepEqual([await piecesOf(id), await provider.refundedOf(id)], [{ closed: 2 }, 4490])
})

test('R-482 a parcel that was lost and is found is not the one that has come back: the seller sends that one again', async () => {
  const id = await provider.paidOrder(newBuyer(database), two)
  await oneBackOneFound(id)
  const before = await stock()
  assert.ok((await accept(id, one)).ok)
  assert.deepEqual([await piecesOf(id), await stock()], [{ accepted: 1, delivered: 1 }, before])
  const parcels = `select reason, to_state as "to", parcel_id is not null as "isOfParcel" from orders.line_move
    where seller_order_id = $1 and 'incident-open' in (from_state, to_state) order by at, id`
  assert.deepEqual((await database.pool.query(parcels, [`${id}-1`])).rows, [
    { reason: 'returned-to-sender', to: 'incident-open', isOfParcel: true },
    { reason: 'carrier-lost', to: 'incident-open', isOfParcel: true },
    { reason: 'delivered', to: 'delivered', isOfParcel: true },
    { reason: 'sent-again', to: 'accepted', isOfParcel: false },
  ])
})

test('R-482 when a lost parcel is found and the operator sends the one that has come back again, nothing is taken from stock', async () => {
  const id = await provider.paidOrder(newBuyer(database), two)
  await oneBackOneFound(id)
  const before = await stock()
  assert.ok((await database.command({}, (scope) => endIncidentAsOperator(scope, `${id}-1`, 'send-again'))).ok)
  assert.deepEqual([await piecesOf(id), await stock()], [{ accepted: 1, delivered: 1 }, before])
})

test('R-135 of the buyer’s own goods nothing is paid back when the lost parcel is found and the other one has come back', async () => {
  const { id, back } = await refusedAndSentBack()
  await oneBackOneFound(back)
  await endAfter(back, 15)
  assert.deepEqual([await piecesOf(back), await provider.refundedOf(id)], [{ 'incident-open': 1, delivered: 1 }, 0])
  await endAfter(back, 31)
  assert.deepEqual([await piecesOf(back), await provider.refundedOf(id)], [{ closed: 1, delivered: 1 }, 0])
})

for (const [returned, answer] of [
  [2, { ok: false, reason: 'move-not-allowed' }],
  [1, { ok: true }],
] as const)
  test(`R-482 the operator ${answer.ok ? 'sends a lost piece again while the other one is returned' : 'does not send a lost piece again that the buyer returns: its price goes back with the return'}`, async () => {
    const buyer = newBuyer(database)
    const id = await provider.paidOrder(buyer, two)
    await sent(id)
    await step(id, { actor: 'carrier', from: 'shipped', to: 'delivered', pieces: one })
    await reported(id, ['carrier-lost'])
    const lines = [{ offerId: '8501', quantity: returned }]
    const withdrawal = { reason: 'changed-mind', wish: 'refund', method: 'label', description: '', photos: [] } as const
    const about = { customerOrderId: id, sellerOrderId: `${id}-1`, lines }
    assert.ok((await buyer.does((scope) => requestReturn(scope, { ...about, ...withdrawal }))).ok)
    assert.deepEqual(await database.command({}, (scope) => endIncidentAsOperator(scope, `${id}-1`, 'send-again')), answer)
    assert.deepEqual(await piecesOf(id), answer.ok ? { delivered: 1, accepted: 1 } : { delivered: 1, 'incident-open': 1 })
  })

test('R-482 the seller does not send again a piece that has come back while the buyer returns it, and does once the buyer has given that up', async () => {
  const buyer = newBuyer(database)
  const id = await provider.paidOrder(buyer, two)
  await sent(id)
  await step(id, { actor: 'carrier', from: 'shipped', to: 'delivered', pieces: one })
  const withdrawal = { reason: 'changed-mind', wish: 'refund', method: 'label', description: '', photos: [] } as const
  const about = { customerOrderId: id, sellerOrderId: `${id}-1`, lines: two }
  const asked = await buyer.does((scope) => requestReturn(scope, { ...about, ...withdrawal }))
  assert.ok(asked.ok)
  await reported(id, ['returned-to-sender'])
  assert.deepEqual(await accept(id, one), { ok: false, reason: 'return-under-way' })
  assert.deepEqual(await piecesOf(id), { delivered: 1, 'incident-open': 1 })
  assert.ok((await buyer.does((scope) => stepByBuyer(scope, asked.id, 'closed'))).ok)
  assert.ok((await accept(id, one)).ok)
})

async function endAfter(orderId: string, days: number): Promise<void> {
  const now = new Date(Date.now() + days * 86_400_000)
  await database.command({ now }, (scope) => endUnclaimed(scope, { customerOrderId: orderId, sellerOrderId: `${orderId}-1` }))
  await work()
}

/** Goods of a refused claim that are on their way back to the buyer. */
async function sentBackAfterRefusal(): Promise<{ id: string; back: string }> {
  const order = await refusedAndSentBack()
  await sent(order.back)
  return order
}

/** A claim about both pieces was refused, a year after they arrived, and the seller is to send them back. */
async function refusedAndSentBack(): Promise<{ id: string; back: string }> {
  const buyer = newBuyer(database)
  const id = await provider.paidOrder(buyer, two)
  await sent(id)
  await step(id, { actor: 'carrier', from: 'shipped', to: 'delivered', pieces: two })
  const photo = newId()
  await insertUpload(database.db, { id: photo, owner: ownerOf(buyer.scope()) ?? '', bytes: 100 })
  await settleUpload(database.db, photo, { key: `upload/${photo}`, name: 'crack.jpg', bytes: 100 })
  const claim = { reason: 'defective', wish: 'refund', method: 'label', description: '', photos: [photo] } as const
  const asked = await buyer.does((scope) => requestReturn(scope, { ...claim, customerOrderId: id, sellerOrderId: `${id}-1`, lines: two }))
  assert.ok(asked.ok)
  const handle = (deed: Partial<ReturnDeed> & Pick<ReturnDeed, 'do'>) =>
    database.command(asSeller, (scope) => handleReturn(scope, asked.id, { finding: '', amount: null, note: null, ...deed }))
  for (const deed of ['accept', 'receive'] as const) assert.ok((await handle({ do: deed })).ok)
  assert.ok((await handle({ do: 'inspect', finding: 'as-described' })).ok)
  assert.ok((await handle({ do: 'refuse', note: 'Nothing is wrong' })).ok)
  const back = (await showReturn(buyer.scope(), asked.id))?.replacement?.customerOrderId ?? ''
  await database.pool.query(
    `update orders.line_move set at = now() - make_interval(days => 400) where seller_order_id = $1 and to_state = 'delivered'`,
    [`${id}-1`],
  )
  return { id, back }
}
