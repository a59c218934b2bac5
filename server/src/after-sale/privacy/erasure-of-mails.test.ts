import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { runWork } from '../../edges/worker/testing.ts'
import { clearOldBodies } from '../../foundation/mail/store.ts'
import { draftOrder, must, newBuyer, place } from '../../selling/checkout/testing.ts'
import { readOrder } from '../../selling/orders/store.ts'
import { notifyRefund } from '../../selling/refunds/notify-refund.ts'
import { readRefundsOf } from '../../selling/refunds/store.ts'
import { readDisputesOfOrder } from '../disputes/store.ts'
import { tellOfStep } from '../disputes/mails-of-step.ts'
import { readParcels } from '../fulfilment/store.ts'
import { tellToCollect } from '../fulfilment/tell-of-parcel.ts'
import { tellOfMessage } from '../messages/tell-of-message.ts'
import { insertCancellation, readCancellations } from '../returns/cancellation-store.ts'
import { notifyBuyerOfDecision } from '../returns/notify-cancellation.ts'
import { notifyCollection } from '../returns/notify-collection.ts'
import { notifyReturn } from '../returns/notify-return.ts'
import { readReturnsOf } from '../returns/return-store.ts'
import { decide } from '../reviews/decide.ts'
import { eraseAccount } from './erase-account.ts'
import { all, customer, database, db, jobIsDue, pool, work } from './test-erasure.ts'

/** Mails about an order that is erased after the account: their keys do not name the order, and their texts are cleared before that. */

const insert = async (table: string, row: Record<string, unknown>) => {
  const columns = Object.keys(row)
  const values = columns.map((_, index) => `$${index + 1}`)
  await pool.query(`insert into ${table} (${columns.join()}) values (${values.join()})`, Object.values(row))
}

/** A guest's delivered order with everything that mails are about. Returns its id. */
async function eventfulOrder(email: string) {
  const session = { id: randomUUID() }
  const guest = newBuyer(database, { principal: { kind: 'guest', id: session.id, email }, session })
  const id = await draftOrder(guest, [{ offerId: '9001', quantity: 1 }])
  must(await place(guest, id))
  await pool.query(`update orders.customer_order set state = 'delivered', paid_at = placed_at where id = $1`, [id])
  const part = { seller_order_id: `${id}-1`, customer_order_id: id, seller_id: 1, market: 'gb' }
  const token_hash = createHash('sha256').update(id).digest()
  const [dispute, conversation, message] = [randomUUID(), randomUUID(), randomUUID()]
  const { seller_id: _seller, ...ofPart } = part
  const refund = { key: 'test', payment_id: randomUUID(), cause: 'return', state: 'iban-needed', amount: 100, currency: 'GBP' }
  await insert('refunds.refund', { id: randomUUID(), number: 1, ...ofPart, ...refund, borne_by: 'seller' })
  const returned = { reason: 'wrong', basis: 'guarantee', wish: 'refund', method: 'label', state: 'refunded', lines: '[]', description: '' }
  await insert('returns.request', { id: randomUUID(), number: 1, ...part, ...returned, token_hash })
  const claim = { reason: 'damaged', wish: 'refund', state: 'settled', wanted: 100, opened_at: new Date(), ended_at: new Date() }
  await insert('disputes.dispute', { id: dispute, number: 1, message_id: message, ...part, ...claim })
  await insert('disputes.step', { dispute_id: dispute, position: 1, actor: 'seller', action: 'offer', note: '', at: new Date() })
  const shipped = { carrier: 'other', held_until: new Date() }
  await insert('fulfilment.parcel', { id: randomUUID(), ...part, ...shipped, token_hash })
  const written = { mode: 'b2c', owner: `s:${session.id}`, email, topic: 'other', about: '{}', last_at: new Date(), created_at: new Date() }
  await insert('messages.conversation', { id: conversation, ...part, ...written })
  const text = { seq: 1, author: 'seller', written_by: 'staff', body: 'Yes', is_masked: false, at: new Date() }
  await insert('messages.message', { id: message, conversation_id: conversation, ...text })
  const cancelled = { customerOrderId: id, sellerOrderId: part.seller_order_id, sellerId: 1, market: 'gb', reason: 'other' } as const
  await insertCancellation(db, { id: randomUUID(), ...cancelled, state: 'refused', lines: [] })
  return { id, message, owner: written.owner }
}

/** Returns the id of a review of the order's seller. */
async function writeReview({ id, owner, email }: { id: string; owner: string; email: string }) {
  const review = randomUUID()
  const opinion = { subject: 'seller', subject_id: 1, seller_id: 1, seller_order_id: `${id}-1`, owner, email, purchased_on: new Date() }
  const words = {
    market: 'gb',
    language: 'en',
    origin: 'http://gb.localhost',
    author: 'A',
    stars: 1,
    title: 'No',
    body: 'No',
    state: 'pending',
  }
  await insert('reviews.review', { id: review, ...opinion, ...words })
  return review
}

/** Everything that happens to the order is mailed to its buyer. */
const mailEverything = ({ id, message, review }: { id: string; message: string; review: string }) =>
  database.command({}, async (scope) => {
    const order = await readOrder(scope.db, id)
    const part = order?.sellerOrders[0]
    assert.ok(order && part)
    for (const refund of await readRefundsOf(scope.db, id)) await notifyRefund(scope, refund, 'iban-needed')
    for (const request of await readReturnsOf(scope.db, id)) {
      await notifyReturn(scope, request, 'requested')
      const at = { state: 'booked', day: '2030-01-07', slot: 'morning', address: order.address, round: 1, bookedRound: 1 } as const
      await notifyCollection(scope, request, { requestId: request.id, ...at }, 'booked')
    }
    for (const cancellation of await readCancellations(scope.db, part.id)) await notifyBuyerOfDecision(scope, cancellation, 'refused')
    const step = { position: 1, actor: 'seller', action: 'offer', note: '', amount: 100, at: scope.now } as const
    for (const dispute of await readDisputesOfOrder(scope.db, id)) await tellOfStep(scope, order, dispute, { ...step, files: [] })
    for (const parcel of await readParcels(scope.db, id)) await tellToCollect(scope, parcel, 'ready')
    await tellOfMessage(scope, { side: 'seller', order, part, actorKey: 'staff' }, { id: message, body: 'Yes', fileCount: 0 })
    await decide(scope, 'review', review, { decision: 'refuse', reason: 'unrelated' })
    return { ok: true }
  })

test('erasure: of an order erased after the account no mail is left, however long ago its text was cleared', async () => {
  const ann = await customer()
  const order = await eventfulOrder(ann.email)
  await ann.does((scope) => eraseAccount(scope, ann.email))
  await runWork(database, [], work)
  await mailEverything({ ...order, review: await writeReview({ ...order, email: ann.email }) })
  await pool.query(`update mail.mail set state = 'sent', sent_at = now() - interval '31 days'`)
  await clearOldBodies(db)
  const mails = async () =>
    (await all(`select key from mail.mail where recipient = $1 and body_text is null`, [ann.email]))
      .map(({ key }) => /^\w+/.exec(key)?.[0])
      .toSorted()
  assert.deepEqual(await mails(), ['cancellation', 'collection', 'dispute', 'message', 'parcel', 'refund', 'return', 'review'])
  await pool.query(`update refunds.refund set state = 'done' where customer_order_id = $1`, [order.id])
  await jobIsDue()
  await runWork(database, [], work)
  assert.equal((await readOrder(db, order.id))?.email, 'erased')
  assert.deepEqual(await mails(), [])
})
