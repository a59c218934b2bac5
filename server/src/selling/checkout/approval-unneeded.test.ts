import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { checkInvariants } from '../../../../e2e/invariants.ts'
import { readCart } from '#cart'
import { readOrder } from '#orders'
import { testDatabase } from '#platform/testing'
import { handlers as notifyHandlers } from '../../after-sale/notify/jobs.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { setBudget } from '../purchasing/manage-budgets.ts'
import { decideApproval, orderApproved, returnToCart } from './decide-approval.ts'
import { endHold } from './jobs.ts'
import { placeOrder } from './place-order.ts'
import { reopenOrder } from './reopen-order.ts'
import { requestApproval } from './request-approval.ts'
import { countListed, showApproval } from './show-approval.ts'
import { addOffer, companiesIn, draftOrder, fillShop, must, place, type Colleague } from './testing.ts'

/** A request that waits while the limit of its buyer is raised, and the order is placed as it was requested. */

const database = await testDatabase()
const { db, pool } = database
const { newCompany, join } = companiesIn(database)

before(async () => {
  await fillShop(database)
  await addOffer(database, { id: '7001', price: 100_00, proPrice: 100_00, stock: 10_000 })
})

const reason = (outcome: { ok: boolean; reason?: string }) => (outcome.ok ? 'ok' : outcome.reason)
const limit = (admin: Colleague, buyer: Colleague, perOrder: number) =>
  admin.does((scope) => setBudget(scope, { kind: 'member', subjectId: buyer.principal.id, monthly: null, perOrder }))

/** A request whose order is within its buyer's limit by now. */
async function outgrown() {
  const company = await newCompany()
  const [admin, approver, buyer] = [await join(company, 'admin'), await join(company, 'approver'), await join(company, 'buyer')]
  must(await limit(admin, buyer, 10))
  const orderId = await draftOrder(buyer, [{ offerId: '7001', quantity: 1 }])
  const { id } = must(await buyer.does((scope) => requestApproval(scope, { customerOrderId: orderId, payBy: 'card', note: '' })))
  must(await limit(admin, buyer, 1000))
  return { admin, approver, buyer, orderId, id }
}
type Outgrown = Awaited<ReturnType<typeof outgrown>>

const decide = ({ approver, id }: Outgrown, isApproved: boolean) =>
  approver.does((scope) => decideApproval(scope, id, { isApproved, comment: '', agreedTotal: 100_00 })).then(reason)
const takeBack = ({ buyer, id }: Outgrown) => buyer.does((scope) => returnToCart(scope, id)).then(reason)
const seen = async ({ id, orderId }: Outgrown, who: Colleague) => {
  const { state, canDecide, canReturn } = (await showApproval(who.scope(), id)) ?? assert.fail('no request')
  return { state, canDecide, canReturn, order: (await readOrder(db, orderId))?.state }
}
const inCart = async ({ buyer }: Outgrown) =>
  (await readCart(db, `c:${buyer.principal.id}:pro`, 'gb')).lines.map(({ offerId, quantity }) => [offerId, quantity])
const violations = () => checkInvariants(pool, { settled: false })

test('a request ends with the order that is placed as it was requested, once the limit was raised: nothing is left to decide', async () => {
  const request = await outgrown()
  const { approver, buyer, orderId } = request
  must(await place(buyer, orderId))
  for (const who of [approver, buyer])
    assert.deepEqual(await seen(request, who), { state: 'unneeded', canDecide: false, canReturn: false, order: 'awaiting-payment' })
  for (const isApproved of [true, false]) assert.equal(await decide(request, isApproved), 'already-decided')
  const listed = async (state: 'pending' | 'unneeded' | 'withdrawn') => (await countListed(approver.scope(), state)).total
  assert.deepEqual([await listed('pending'), await listed('unneeded'), await listed('withdrawn')], [0, 1, 0])
  assert.deepEqual(await violations(), [])
})

for (const [how, press] of [
  ['one after the other', async (order: () => Promise<string | undefined>) => [await order(), await order()]],
  ['at the same moment', (order: () => Promise<string | undefined>) => Promise.all([order(), order()])],
] as const)
  test(`two presses of the order button of a waiting request, ${how}, place its order once and both lead to it`, async () => {
    const { buyer, orderId, id } = await outgrown()
    const key = randomUUID()
    const order = () => buyer.does((scope) => orderApproved(scope, id, key)).then((done) => (done.ok ? done.orderId : done.reason))
    assert.deepEqual(await press(order), [orderId, orderId])
    assert.deepEqual([(await readOrder(db, orderId))?.state, (await readOrder(db, orderId))?.placement], ['awaiting-payment', 1])
    const byInvoice = buyer.does((scope) => orderApproved(scope, id, randomUUID(), 'invoice'))
    assert.deepEqual(await byInvoice, { ok: false, reason: 'unknown-order' }, 'nobody has approved an invoice')
  })

test('an order that goes beyond the limit still waits: placing it is refused, and its request stays', async () => {
  const request = await outgrown()
  must(await limit(request.admin, request.buyer, 99))
  assert.equal(reason(await place(request.buyer, request.orderId)), 'approval-needed')
  assert.deepEqual(await seen(request, request.approver), { state: 'pending', canDecide: true, canReturn: false, order: 'draft' })
})

test('an order that was placed without its approval is changed, placed again, and left unpaid, like any other', async () => {
  const request = await outgrown()
  const { buyer, orderId } = request
  must(await place(buyer, orderId))
  must(await place(buyer, orderId, randomUUID(), [{ sellerId: 1, kind: 'express' }]))
  assert.equal((await readOrder(db, orderId))?.sellerOrders[0]?.deliveryKind, 'express', 'no approver has seen its delivery')
  assert.equal(await takeBack(request), 'already-decided', 'its goods are held')
  must(await buyer.does((scope) => reopenOrder(scope, orderId)))
  must(await place(buyer, orderId))

  await pool.query(`update orders.customer_order set holds_until = now() - interval '1 hour' where id = $1`, [orderId])
  await database.command({}, (scope) => endHold(scope, orderId))
  assert.deepEqual(await seen(request, buyer), { state: 'unneeded', canDecide: false, canReturn: true, order: 'cancelled' })
  await runWork(database, notifyHandlers, [])
  const { rows: mails } = await pool.query<{ text: string }>(
    `select body_text as text from mail.mail where recipient = $1 and template = 'order-cancelled'`,
    [buyer.email],
  )
  assert.equal(mails.length, 1)
  assert.match(mails[0]?.text ?? '', new RegExp(`with your request for approval[^]*/my-account/approvals/${request.id}`))
  assert.equal(await takeBack(request), 'ok')
  assert.deepEqual(await inCart(request), [['7001', 1]])
  assert.deepEqual(await seen(request, buyer), { state: 'withdrawn', canDecide: false, canReturn: false, order: 'cancelled' })
  assert.deepEqual(await violations(), [])
})

test('an order that was placed without its approval and taken back is requested again when the limit is lowered', async () => {
  const request = await outgrown()
  const { admin, buyer, orderId } = request
  must(await place(buyer, orderId))
  must(await buyer.does((scope) => reopenOrder(scope, orderId)))
  must(await limit(admin, buyer, 10))
  assert.equal(reason(await place(buyer, orderId)), 'approval-needed')
  const again = must(await buyer.does((scope) => requestApproval(scope, { customerOrderId: orderId, payBy: 'card', note: '' })))
  assert.equal(await decide({ ...request, id: again.id }, true), 'ok')
  must(await place(buyer, orderId))
  assert.deepEqual([(await seen(request, buyer)).state, (await seen({ ...request, id: again.id }, buyer)).state], ['unneeded', 'approved'])
})

const isWaiting = async () =>
  (await pool.query(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).rows.length > 0

/** Runs `first` up to its commit, then `second` until it waits or has ended, and returns the outcome of the second. */
async function meet(first: (beforeCommit: () => Promise<void>) => Promise<unknown>, second: () => Promise<string | undefined>) {
  const [done, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const winning = first(async () => {
    done.resolve()
    await commit.promise
  })
  await done.promise
  let hasEnded = false
  const losing = second().finally(() => (hasEnded = true))
  while (!hasEnded && !(await isWaiting())) await setTimeout(10)
  commit.resolve()
  await winning
  return losing
}

for (const isApproved of [true, false]) {
  const decision = isApproved ? 'approves' : 'refuses'

  test(`an approver who ${decision} the order at the moment at which it is placed is refused`, async () => {
    const request = await outgrown()
    const { buyer, orderId } = request
    const placing = (beforeCommit: () => Promise<void>) =>
      buyer.does(async (scope) => {
        must(await placeOrder(scope, { customerOrderId: orderId, idempotencyKey: randomUUID() }))
        await beforeCommit()
      })
    assert.equal(await meet(placing, () => decide(request, isApproved)), 'already-decided')
    assert.deepEqual(await seen(request, buyer), { state: 'unneeded', canDecide: false, canReturn: false, order: 'awaiting-payment' })
  })

  test(`an order that is placed at the moment at which an approver ${decision} it comes after the decision`, async () => {
    const request = await outgrown()
    const { approver, buyer, orderId, id } = request
    const deciding = (beforeCommit: () => Promise<void>) =>
      approver.does(async (scope) => {
        must(await decideApproval(scope, id, { isApproved, comment: '', agreedTotal: 100_00 }))
        await beforeCommit()
      })
    const outcome = await meet(deciding, () => place(buyer, orderId).then(reason))
    const { state, order } = await seen(request, buyer)
    assert.deepEqual([outcome, state, order], isApproved ? ['ok', 'approved', 'awaiting-payment'] : ['cart-empty', 'refused', 'draft'])
  })
}

test('of placing an order, deciding about its request and withdrawing it at once, no two contradict each other', async () => {
  for (let round = 0; round < 12; round++) {
    const request = await outgrown()
    const { buyer, orderId } = request
    const [placed, decided, returned] = await Promise.all([
      place(buyer, orderId).then(reason),
      decide(request, round % 2 === 0),
      round % 3 === 0 ? takeBack(request) : undefined,
    ])
    const { state, order } = await seen(request, buyer)
    const told = JSON.stringify({ placed, decided, returned, state, order })
    if (placed === 'ok') {
      assert.equal(order, 'awaiting-payment', told)
      assert.ok(state === 'unneeded' || (state === 'approved' && decided === 'ok') || (state === 'withdrawn' && returned === 'ok'), told)
    } else {
      assert.equal(order, 'draft', told)
      assert.ok(['approved', 'refused', 'withdrawn'].includes(state), told)
    }
  }
  assert.deepEqual(await violations(), [])
})
