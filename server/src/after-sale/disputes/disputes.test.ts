import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { Scope } from '#platform'
import { testDatabase, useSettings } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { addStaff, signIn } from '../../people/accounts/testing.ts'
import * as checkoutJobs from '../../selling/checkout/jobs.ts'
import { addOffer, fillShop, newBuyer, type Buyer } from '../../selling/checkout/testing.ts'
import * as paymentJobs from '../../selling/payments/jobs.ts'
import * as refundJobs from '../../selling/refunds/jobs.ts'
import { requestRefund } from '../../selling/refunds/request-refund.ts'
import { testProvider } from '../../selling/refunds/testing.ts'
import { writeMessage } from '../messages/index.ts'
import {
  disputeActions,
  disputeActors,
  disputeMoves,
  disputeStates,
  dueDays,
  onDeadline,
  stateAfter,
  type DisputeState,
} from './dispute.ts'
import { passDeadlines } from './jobs.ts'
import { moveAs, moveDispute, openDispute, type OpenDispute } from './move-dispute.ts'

const operatorKey = 'an-operator-key-of-the-tests-with-32-bytes'
useSettings({ OPERATOR_API_KEY: operatorKey })
const database = await testDatabase()
const { db, pool } = database
await fillShop(database)
await addOffer(database, { id: '801', price: 5000, stock: 1000 })
const work = () => runWork(database, [...paymentJobs.handlers, ...refundJobs.handlers], [...checkoutJobs.jobs, ...paymentJobs.jobs])
const gateway = await testGateway(pool)
const provider = await testProvider(database, gateway.url, work)
after(async () => {
  await provider.close()
  await gateway.close()
})

/** 50.00, with free delivery. */
const total = 5000
// Fridays and weekends matter: this is a Monday.
const monday = new Date('2026-11-23T10:00:00Z')
const ended: readonly DisputeState[] = ['settled', 'closed', 'withdrawn']

test('R-134 every state that does not end a dispute has a deadline and a way out for each party that is awaited', () => {
  for (const state of disputeStates) {
    const moves = disputeMoves.filter(({ from }) => from === state)
    assert.equal(moves.length === 0, ended.includes(state), state)
    assert.equal(dueDays[state] === null, ended.includes(state), state)
    assert.ok(ended.includes(state) || moves.some(({ to }) => to !== state), `${state} can be left`)
    const action = onDeadline[state]
    assert.ok(!action || stateAfter(state, action, 'system') !== null, `${state}: its deadline is a move of the table`)
  }
})

test('R-134 any sequence of moves by anybody leads from table to table, ends at most once, and never leaves an end', () => {
  const move = fc.record({ action: fc.constantFrom(...disputeActions), actor: fc.constantFrom(...disputeActors) })
  fc.assert(
    fc.property(fc.array(move, { maxLength: 30 }), (moves) => {
      let state: DisputeState = 'open'
      for (const { action, actor } of moves) {
        const next = stateAfter(state, action, actor)
        if (ended.includes(state)) assert.equal(next, null)
        state = next ?? state
      }
      // From anywhere the system and the operator alone can end it.
      for (let turn = 0; turn < 5 && !ended.includes(state); turn++) {
        const deadline = onDeadline[state]
        const next = deadline ? stateAfter(state, deadline, 'system') : stateAfter(state, 'decide', 'operator')
        assert.ok(next, state)
        state = next
      }
      assert.ok(ended.includes(state))
    }),
    { numRuns: 2_000 },
  )
})

interface Case {
  buyer: Buyer
  orderId: string
  customerOrderId: string
  messageId: string
}
async function bought(): Promise<Case> {
  const buyer = newBuyer(database)
  const customerOrderId = await provider.paidOrder(buyer, [{ offerId: '801', quantity: 1 }])
  const orderId = `${customerOrderId}-1`
  const written = await buyer.does((scope) => writeMessage(scope, 'conversation.write', orderId, { text: 'It is broken.' }))
  assert.ok(written.ok)
  return { buyer, customerOrderId, orderId, messageId: written.id }
}
const at = (buyer: Buyer, now: Date, operation: (scope: Scope) => ReturnType<typeof openDispute>) =>
  database.command({ ...buyer.overrides, now }, operation)
async function opened(more: Partial<OpenDispute> = {}): Promise<Case & { id: string }> {
  const one = await bought()
  const { buyer, orderId, messageId } = one
  const input = { orderId, messageId, reason: 'damaged', wish: 'refund', note: 'It broke on the first day.', ...more } as const
  const done = await at(buyer, monday, (scope) => openDispute(scope, input))
  assert.ok(done.ok, JSON.stringify(done))
  return { ...one, id: done.id }
}
const seller = {
  kind: 'sellerMember',
  id: '00000000-0000-7000-8000-00000000000e',
  email: '',
  name: 'Sam',
  roles: [{ role: 'seller', market: null }],
} as const
const sellerDoes = (id: string, action: 'offer' | 'agree' | 'contest' | 'appeal', more: object = {}, sellerId = 1) =>
  database.command({ principal: { ...seller, sellerId }, now: monday }, (scope) =>
    moveDispute(scope, 'dispute.serve', { id, action, ...more }),
  )
const buyerDoes = (
  { buyer, id }: { buyer: Buyer; id: string },
  action: 'accept' | 'refuse' | 'withdraw' | 'appeal' | 'add',
  more: object = {},
) => database.command({ ...buyer.overrides, now: monday }, (scope) => moveDispute(scope, 'dispute.open', { id, action, ...more }))
const decide = (id: string, amount: number, note = 'The photos show it.') =>
  database.command({}, (scope) => moveAs(scope, 'operator', { id, action: 'decide', amount, note }))
const stateOf = async (id: string) =>
  (await pool.query('select state, due_at, refund_id from disputes.dispute where id = $1', [id])).rows[0]
const passedAt = (now: string) => database.command({ now: new Date(now) }, (scope) => passDeadlines(scope))
const refundedOf = async (one: Case) => {
  await work()
  return provider.refundedOf(one.customerOrderId)
}

test('R-134 the seller agrees: the money goes back through the refunds, once', async () => {
  const one = await opened()
  const answers = await Promise.all([1, 2, 3].map(() => sellerDoes(one.id, 'agree')))
  assert.equal(answers.filter(({ ok }) => ok).length, 1)
  assert.equal((await stateOf(one.id)).state, 'settled')
  assert.equal(await refundedOf(one), total)
})

test('R-134 an offer is accepted: the amount offered goes back, and no more', async () => {
  const one = await opened()
  assert.deepEqual(await sellerDoes(one.id, 'offer', { amount: total + 1 }), { ok: false, reason: 'amount-invalid' })
  assert.ok((await sellerDoes(one.id, 'offer', { amount: 1500 })).ok)
  assert.ok((await buyerDoes(one, 'accept')).ok)
  assert.equal(await refundedOf(one), 1500)
})

test('R-134 what has gone back already is neither offered nor decided again: amounts are at most what is left of the price', async () => {
  const one = await opened()
  const gave = await database.command({}, async (scope) => {
    const wish = { customerOrderId: one.customerOrderId, sellerOrderId: one.orderId, cause: 'goodwill' as const, key: `kind:${one.id}` }
    return { ok: (await requestRefund(scope, { ...wish, extra: { offerId: null, amount: 2000 } })) !== undefined }
  })
  assert.ok(gave.ok)
  assert.deepEqual(await sellerDoes(one.id, 'offer', { amount: total - 1999 }), { ok: false, reason: 'amount-invalid' })
  assert.ok((await sellerDoes(one.id, 'agree')).ok)
  const { rows } = await pool.query(`select amount from disputes.step where dispute_id = $1 and action = 'agree'`, [one.id])
  assert.deepEqual(rows, [{ amount: total - 2000 }], 'the parties are told what really goes back')
  assert.equal(await refundedOf(one), total)
})

test('R-134 ten notes an hour: a party that writes more waits, and holds up neither the other one nor the end', async () => {
  const one = await opened()
  for (let n = 0; n < 10; n++) assert.ok((await buyerDoes(one, 'add', { note: `Photo ${n}` })).ok)
  assert.deepEqual(await buyerDoes(one, 'add', { note: 'One more' }), { ok: false, reason: 'too-many-notes' })
  const later = { ...one.buyer.overrides, now: new Date(monday.getTime() + 3_600_001) }
  const again = await database.command(later, (scope) =>
    moveDispute(scope, 'dispute.open', { id: one.id, action: 'add', note: 'One more' }),
  )
  assert.ok(again.ok)
  assert.ok((await sellerDoes(one.id, 'contest', { note: 'It was used.' })).ok)
})

test('R-134 refused, mediated, appealed and finally decided: only the last decision is booked', async () => {
  const one = await opened()
  assert.ok((await sellerDoes(one.id, 'offer', { amount: 500 })).ok)
  assert.ok((await buyerDoes(one, 'refuse')).ok)
  assert.deepEqual(await decide(one.id, 2000, ''), { ok: false, reason: 'note-missing' })
  assert.ok((await decide(one.id, 2000)).ok)
  assert.equal(await refundedOf(one), 0, 'the appeal period runs')
  assert.ok((await buyerDoes(one, 'appeal', { note: 'It cannot be repaired.' })).ok)
  assert.ok((await decide(one.id, 3000)).ok)
  assert.deepEqual(await decide(one.id, 5000), { ok: false, reason: 'move-not-allowed' })
  assert.equal((await stateOf(one.id)).state, 'closed')
  assert.equal(await refundedOf(one), 3000)
})

test('R-134 deadlines in working days: silence of the seller leads to mediation, and a decision without appeal is carried out', async () => {
  const one = await opened()
  await passedAt('2026-11-26T09:59:00Z')
  assert.equal((await stateOf(one.id)).state, 'open')
  await passedAt('2026-11-26T10:00:00Z')
  assert.equal((await stateOf(one.id)).state, 'mediation')
  await database.command({ now: new Date('2026-11-27T10:00:00Z') }, (scope) =>
    moveAs(scope, 'operator', { id: one.id, action: 'decide', amount: 1000, note: 'x' }),
  )
  await passedAt('2026-12-04T09:59:00Z')
  assert.equal((await stateOf(one.id)).state, 'decided')
  await passedAt('2026-12-04T10:00:00Z')
  await passedAt('2026-12-05T10:00:00Z')
  assert.equal((await stateOf(one.id)).state, 'closed')
  assert.equal(await refundedOf(one), 1000)
})

test('R-134 a seller who contests and a buyer who withdraws at the same time: one of them happened', async () => {
  const one = await opened()
  const [contested, withdrawn] = await Promise.all([sellerDoes(one.id, 'contest', { note: 'It was used.' }), buyerDoes(one, 'withdraw')])
  assert.ok(withdrawn.ok)
  assert.equal((await stateOf(one.id)).state, 'withdrawn')
  assert.ok(contested.ok || contested.reason === 'move-not-allowed')
  assert.equal(await refundedOf(one), 0)
})

test('A1 A2 R-134 nobody else opens, sees or moves a dispute: another buyer, another seller, an unknown id', async () => {
  const one = await opened()
  const eve = newBuyer(database)
  const input = { orderId: one.orderId, messageId: one.messageId, reason: 'other', wish: 'refund', note: 'x' } as const
  assert.deepEqual(await at(eve, monday, (scope) => openDispute(scope, input)), { ok: false, reason: 'unknown-order' })
  assert.deepEqual(await buyerDoes({ buyer: eve, id: one.id }, 'withdraw'), { ok: false, reason: 'unknown-dispute' })
  assert.deepEqual(await sellerDoes(one.id, 'agree', {}, 2), { ok: false, reason: 'unknown-dispute' })
  assert.deepEqual(await sellerDoes('00000000-0000-7000-8000-0000000000ff', 'agree'), { ok: false, reason: 'unknown-dispute' })
  assert.deepEqual(await buyerDoes(one, 'accept'), { ok: false, reason: 'move-not-allowed' })
  const agree = await database.command(one.buyer.overrides, (scope) => moveDispute(scope, 'dispute.open', { id: one.id, action: 'agree' }))
  assert.deepEqual(agree, { ok: false, reason: 'move-not-allowed' }, 'a buyer does not agree for the seller')
  assert.equal((await stateOf(one.id)).state, 'open')
})

test('R-134 one dispute per seller order and message; it needs a message of the buyer, a note, and a sensible amount', async () => {
  const one = await bought()
  const { buyer, orderId, messageId } = one
  const attempt = (more: Partial<OpenDispute>) =>
    at(buyer, monday, (scope) => openDispute(scope, { orderId, messageId, reason: 'damaged', wish: 'refund', note: 'x', ...more }))
  assert.deepEqual(await attempt({ note: ' ' }), { ok: false, reason: 'note-missing' })
  for (const amount of [0, -1, total + 1, 1.5])
    assert.deepEqual(await attempt({ wish: 'part-refund', amount }), { ok: false, reason: 'amount-invalid' })
  assert.deepEqual(await attempt({ messageId: '00000000-0000-7000-8000-0000000000ff' }), { ok: false, reason: 'unknown-order' })
  assert.deepEqual(await attempt({ attachments: ['00000000-0000-7000-8000-0000000000ff'] }), { ok: false, reason: 'attachment-gone' })
  const both = await Promise.all([attempt({}), attempt({})])
  assert.deepEqual(both.map(({ ok }) => ok).toSorted(), [false, true])
})

test('R-134 each step is told by mail to the other side; contact data in it are masked', async () => {
  const one = await opened({ note: 'Call 07700 900123, it is broken.' })
  await sellerDoes(one.id, 'offer', { amount: 1500, note: 'A third back?' })
  const mails = (to: string) =>
    db.rows<{ subject: string; text: string }>(
      {
        name: 'test.dispute-mails',
        text: `select subject, body_text as text from mail.mail where recipient = $1 and template = 'dispute-step'`,
      },
      [to],
    )
  const [toBuyer, ...more] = await mails(one.buyer.email)
  assert.equal(more.length, 0)
  assert.match(toBuyer?.text ?? '', /Seller 1 has made an offer[^]*£15\.00[^]*A third back\?/)
  assert.ok(toBuyer?.text.includes(`/online-support/${one.orderId}/dispute/${one.messageId}?access=`))
  const toSeller = (await mails('seller1@example.com')).filter(({ subject }) => subject.includes(one.orderId))
  assert.match(toSeller[0]?.text ?? '', /Call \[…\], it is broken\./)
})

test('R-134 the seller’s staff list and read their disputes; the operator decides with the key, nobody without it', async () => {
  const one = await opened()
  const { id: staffId } = await addStaff(db, { sellerId: 1, roles: [{ role: 'seller', market: null }] })
  const cookie = `__Host-purlin-staff=${(await signIn(db, { staffId, family: 'staff' })).token}`
  const { body } = await gateway.post('{ sellerDisputes { id state } }', {}, { cookie })
  const { data } = body as { data: { sellerDisputes: { id: string; state: string }[] } }
  assert.ok(data.sellerDisputes.some(({ id, state }) => id === one.id && state === 'OPEN'))
  await sellerDoes(one.id, 'contest', { note: 'It was used.' })
  const post = (key: string, decision: object) =>
    fetch(`${gateway.url}/api/v1/operator/disputes/${one.id}/decision`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(decision),
    })
  assert.equal((await post('wrong', { amount: 100, note: 'x' })).status, 401)
  assert.equal((await post(operatorKey, { amount: -1, note: 'x' })).status, 400)
  assert.equal((await post(operatorKey, { amount: total + 1, note: 'x' })).status, 400)
  assert.equal((await post(operatorKey, { amount: 0, note: 'It was used.' })).status, 200)
  assert.equal((await post(operatorKey, { amount: 0, note: 'again' })).status, 409)
  assert.equal((await stateOf(one.id)).state, 'decided')
})

test('neither party can hold up a dispute by writing: a full one is still decided, and its deadlines still pass', async () => {
  const fill = (id: string) =>
    pool.query(
      `insert into disputes.step (dispute_id, position, actor, action, note, at)
        select $1, n, 'seller', 'add', 'More', $2 from generate_series(2, 100) n`,
      [id, monday],
    )
  const waiting = await opened()
  const contested = await opened()
  await sellerDoes(contested.id, 'contest', { note: 'It was packed well.' })
  await pool.query('delete from disputes.step where dispute_id = $1 and position = 2', [contested.id])
  for (const { id } of [waiting, contested]) await fill(id)
  assert.deepEqual(await buyerDoes(waiting, 'add', { note: 'And one more' }), { ok: false, reason: 'move-not-allowed' })
  await passedAt('2026-11-27T10:00:00Z')
  assert.equal((await stateOf(waiting.id)).state, 'mediation')
  assert.deepEqual(await decide(contested.id, 1500), { ok: true, id: contested.id })
  assert.equal((await stateOf(contested.id)).state, 'decided')
})

test('a hundred disputes that wait for the operator do not keep the deadlines of others from passing', async () => {
  const one = await opened()
  await pool.query(
    `insert into disputes.dispute (id, number, message_id, seller_order_id, customer_order_id, seller_id, market, reason, wish, state, wanted,
        due_at, opened_at)
      select gen_random_uuid(), 900000 + n, gen_random_uuid(), 'late-' || n, 'late', 1, 'gb', 'other', 'refund', 'mediation', 1, $1, $1
      from generate_series(1, 100) n`,
    [new Date('2026-11-01T10:00:00Z')],
  )
  await passedAt('2026-12-01T10:00:00Z')
  await pool.query(`delete from disputes.dispute where customer_order_id = 'late'`)
  assert.equal((await stateOf(one.id)).state, 'mediation')
})
