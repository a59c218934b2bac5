import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { companyOf } from '#accounts'
import { readCart } from '#cart'
import { readOrder } from '#orders'
import type { Scope } from '#platform'
import { lockOverdueApprovals } from '#purchasing'
import { testDatabase } from '#platform/testing'
import { changeMemberRole } from '../../people/companies/change-members.ts'
import { schedules as purchasingSchedules } from '../purchasing/jobs.ts'
import { setBudget } from '../purchasing/manage-budgets.ts'
import { decideApproval, decideApprovalByToken, orderApproved, returnToCart } from './decide-approval.ts'
import { choosePaymentMethod } from './choose-payment.ts'
import { exchangePoints } from './exchange-points.ts'
import { endHold, schedules } from './jobs.ts'
import { placeOrder } from './place-order.ts'
import { reopenOrder } from './reopen-order.ts'
import { requestApproval } from './request-approval.ts'
import { showApproval, showApprovalByToken } from './show-approval.ts'
import { addOffer, companiesIn, draftOrder, fillShop, must, place, type Buyer, type Colleague } from './testing.ts'

/** How long an approval is worth something, and to whom. */

const database = await testDatabase()
const { db, pool } = database
const { newCompany, join } = companiesIn(database)
const day = 86_400_000

before(async () => {
  await fillShop(database)
  await addOffer(database, { id: '7001', price: 100_00, proPrice: 100_00, stock: 10_000 })
})

const reason = (outcome: { ok: boolean; reason?: string }) => (outcome.ok ? 'ok' : outcome.reason)
const limitOf = (admin: Colleague, who: Colleague, perOrder: number | null) =>
  admin.does((scope) => setBudget(scope, { kind: 'member', subjectId: who.principal.id, monthly: null, perOrder }))
const after = (ms: number) => ({ now: new Date(Date.now() + ms) })
const approve = { isApproved: true, comment: '', agreedTotal: 100_00 }

/** A company whose buyer has asked for an order, to be paid by card. */
async function asked(payBy: 'card' | 'invoice' = 'card') {
  const company = await newCompany()
  const [admin, approver, buyer] = [await join(company, 'admin'), await join(company, 'approver'), await join(company, 'buyer')]
  must(await limitOf(admin, buyer, 10))
  const orderId = await draftOrder(buyer, [{ offerId: '7001', quantity: 1 }])
  const { id } = must(await buyer.does((scope) => requestApproval(scope, { customerOrderId: orderId, payBy, note: '' })))
  return { company, admin, approver, buyer, orderId, id }
}
async function approved() {
  const request = await asked()
  must(await request.approver.does((scope) => decideApproval(scope, request.id, approve)))
  return request
}
const order = (buyer: Buyer, id: string, at: Partial<Scope> = {}) =>
  buyer.does((scope) => orderApproved({ ...scope, ...at }, id, randomUUID())).then(reason)
const stateOf = async (who: Buyer, id: string, at: Partial<Scope> = {}) => (await showApproval({ ...who.scope(), ...at }, id))?.state
const runAt = (jobs: typeof schedules, ms: number) =>
  Promise.all(jobs.map(({ run }) => database.command({}, (scope) => run({ ...scope, ...after(ms) }))))
const tokenTo = async ({ email }: Buyer) =>
  /\/approval\/([\w-]+)/.exec(
    String((await pool.query(`select body_text from mail.mail where recipient = $1`, [email])).rows[0]?.body_text),
  )?.[1] ?? ''
const mailsTo = async ({ email }: Buyer) =>
  (
    await pool.query<{ subject: string; text: string }>(
      `select subject, body_text as text from mail.mail where recipient = $1 and template = 'approval-decided' order by id`,
      [email],
    )
  ).rows

test('what was approved is ordered within seven days of the decision, by whatever command, and not later', async () => {
  const { buyer, id, orderId } = await approved()
  const { rows } = await pool.query(
    `select expires_at - decided_at = interval '7 days' as "isWeek" from purchasing.approval where id = $1`,
    [id],
  )
  assert.deepEqual(rows, [{ isWeek: true }])
  assert.equal(await stateOf(buyer, id, after(7 * day - 60_000)), 'approved')
  assert.equal(await stateOf(buyer, id, after(7 * day + 60_000)), 'expired')
  assert.equal(await order(buyer, id, after(7 * day + 60_000)), 'approval-ended')
  const points = [{ sellerId: 1, pointId: 'p1' }]
  await pool.query(`update purchasing.approval set proposal = proposal || '{"points": [{"sellerId": 1}]}' where id = $1`, [id])
  const exchange = (ms: number) => buyer.does((scope) => exchangePoints({ ...scope, ...after(ms) }, id, points))
  assert.equal(reason(await exchange(7 * day + 60_000)), 'already-decided')
  await pool.query(`update purchasing.approval set proposal = proposal - 'points' where id = $1`, [id])
  const asUsual = await buyer.does((scope) =>
    placeOrder({ ...scope, ...after(7 * day + 60_000) }, { customerOrderId: orderId, idempotencyKey: randomUUID() }),
  )
  assert.equal(reason(asUsual), 'approval-ended')
  assert.equal(await order(buyer, id, after(7 * day - 60_000)), 'ok')
  assert.equal((await readOrder(db, orderId))?.state, 'awaiting-payment')
  assert.equal(await stateOf(buyer, id, after(30 * day)), 'approved', 'a placed order stays approved')
})

test('an approval that ends unused is reported to its buyer, once, whose goods return to the cart', async () => {
  const { buyer, id } = await approved()
  const [told] = await mailsTo(buyer)
  assert.match(told?.text ?? '', /The approval is valid until \d+ \w+ \d{4}/)
  await runAt(schedules, 6 * day)
  assert.equal((await mailsTo(buyer)).length, 1)
  for (const _ of [1, 2]) await runAt(schedules, 8 * day)
  const mails = await mailsTo(buyer)
  assert.deepEqual([mails.length, mails[1]?.subject], [2, 'No longer approved: £100.00 incl. VAT'])
  assert.equal(await stateOf(buyer, id), 'expired')
  assert.equal(await order(buyer, id), 'unknown-order')
  assert.equal(reason(await buyer.does((scope) => returnToCart(scope, id))), 'ok')
  assert.equal((await readCart(db, `c:${buyer.principal.id}:pro`, 'gb')).lines.length, 1)
})

test('an order that was paid has used its approval; one whose hold ended unpaid has not, and its approval ends with its week', async () => {
  const [paid, unpaid] = [await approved(), await approved()]
  for (const { buyer, id } of [paid, unpaid]) assert.equal(await order(buyer, id), 'ok')
  await pool.query(`update orders.customer_order set state = 'paid', paid_at = now() where id = $1`, [paid.orderId])
  await pool.query(`update orders.customer_order set holds_until = now() - interval '1 hour' where id = $1`, [unpaid.orderId])
  await database.command({}, (scope) => endHold(scope, unpaid.orderId))
  assert.equal(await stateOf(unpaid.buyer, unpaid.id), 'approved')
  await runAt(schedules, 8 * day)
  assert.equal(await stateOf(paid.buyer, paid.id, after(8 * day)), 'approved')
  assert.equal((await mailsTo(paid.buyer)).length, 1)
  assert.equal(await stateOf(unpaid.buyer, unpaid.id), 'expired')
  assert.deepEqual(
    (await mailsTo(unpaid.buyer)).map(({ subject }) => subject),
    ['Approved: £100.00 incl. VAT', 'Approved, but not ordered: £100.00 incl. VAT', 'No longer approved: £100.00 incl. VAT'],
  )
  const overdue = (await lockOverdueApprovals(db, after(8 * day).now)).map(({ id }) => id)
  assert.ok(!overdue.includes(paid.id) && !overdue.includes(unpaid.id), 'and the job does not meet them again')
})

test('an order taken back to be changed needs its approval again, which has ended by then', async () => {
  const { buyer, id, orderId } = await approved()
  assert.equal(await order(buyer, id), 'ok')
  must(await buyer.does((scope) => reopenOrder(scope, orderId)))
  const late = (scope: Scope) => placeOrder({ ...scope, ...after(8 * day) }, { customerOrderId: orderId, idempotencyKey: randomUUID() })
  assert.equal(reason(await buyer.does(late)), 'approval-ended')
})

test('an approval is worth nothing once its approver could not give it any more', async () => {
  const [left, demoted, limited, lowered] = [await approved(), await approved(), await approved(), await approved()]
  await pool.query('update accounts.membership set ended_at = now() where customer_id = $1', [left.approver.principal.id])
  must(await demoted.admin.does((scope) => changeMemberRole(scope, demoted.approver.principal.id, 'buyer')))
  must(await limitOf(limited.admin, limited.approver, 99))
  for (const { buyer, id, orderId } of [left, demoted, limited]) {
    assert.equal(await order(buyer, id), 'approval-ended')
    assert.equal(reason(await place(buyer, orderId)), 'approval-ended', 'nor by the command of the checkout')
    assert.equal((await readOrder(db, orderId))?.state, 'draft')
    assert.equal(await stateOf(buyer, id), 'expired', 'the buyer reads so, and takes the goods back')
    assert.equal(reason(await buyer.does((scope) => returnToCart(scope, id))), 'ok')
  }
  // What the buyer may spend without an approval is another matter.
  must(await limitOf(lowered.admin, lowered.buyer, 1))
  assert.equal(await order(lowered.buyer, lowered.id), 'ok')
})

test('an order that awaits its payment is not placed again, to be paid in another way, once its approver has been demoted', async () => {
  const { admin, approver, buyer, id, orderId } = await approved()
  assert.equal(await order(buyer, id), 'ok')
  // As after an invoice that was declined: one approved for a card is not paid by invoice in any case.
  await pool.query(`update purchasing.approval set pay_by = 'invoice' where id = $1`, [id])
  must(await admin.does((scope) => changeMemberRole(scope, approver.principal.id, 'viewer')))
  const choose = (scope: Scope) => choosePaymentMethod(scope, { customerOrderId: orderId, idempotencyKey: randomUUID(), method: 'invoice' })
  assert.equal(reason(await buyer.does(choose)), 'approval-ended')
  assert.equal((await readOrder(db, orderId))?.state, 'awaiting-payment')
})

test('the request of a buyer who may no longer order is refused, never approved; what was approved before is not ordered', async () => {
  const end = async ({ admin, buyer }: Awaited<ReturnType<typeof asked>>, how: 'viewer' | 'left') => {
    if (how === 'viewer') must(await admin.does((scope) => changeMemberRole(scope, buyer.principal.id, 'viewer')))
    else await pool.query('update accounts.membership set ended_at = now() where customer_id = $1', [buyer.principal.id])
  }
  for (const how of ['viewer', 'left'] as const)
    for (const payBy of ['card', 'invoice'] as const) {
      const request = await asked(payBy)
      await end(request, how)
      const decide = (isApproved: boolean) =>
        request.approver.does((scope) => decideApproval(scope, request.id, { ...approve, isApproved })).then(reason)
      assert.equal(await decide(true), 'buyer-may-not-order', `${how} ${payBy}`)
      assert.equal(await decide(false), 'ok')
    }
  const request = await approved()
  await end(request, 'viewer')
  const viewer = { ...request.buyer.principal, role: 'viewer' as const }
  const asViewer = <Value>(act: (scope: Scope) => Promise<Value>) => request.buyer.does((scope) => act({ ...scope, principal: viewer }))
  const commands = [
    (scope: Scope) => orderApproved(scope, request.id, randomUUID()),
    (scope: Scope) => placeOrder(scope, { customerOrderId: request.orderId, idempotencyKey: randomUUID() }),
  ]
  for (const command of commands) assert.equal(reason(await asViewer<{ ok: boolean; reason?: string }>(command)), 'unknown-order')
  assert.equal((await readOrder(db, request.orderId))?.state, 'draft')
})

test('the link of the mail, forwarded to the buyer who is signed in, shows them their own request and decides nothing', async () => {
  const { approver, buyer, id, orderId } = await asked()
  const token = await tokenTo(approver)
  for (const isApproved of [true, false])
    assert.equal(reason(await buyer.does((scope) => decideApprovalByToken(scope, token, { ...approve, isApproved }))), 'own-request')
  const privately = { ...buyer.principal, kind: 'customer' as const }
  const asCustomer = (scope: Scope) => decideApprovalByToken({ ...scope, principal: privately }, token, approve)
  assert.equal(reason(await buyer.does(asCustomer)), 'own-request', 'nor on their own behalf')
  const seen = async (scope: Scope) => {
    const shown = await showApprovalByToken(scope, token)
    return [shown?.canDecide, shown?.isYours]
  }
  assert.deepEqual(await seen(buyer.scope()), [false, true])
  assert.deepEqual(await seen(database.scope({ mode: 'b2b' })), [true, false])
  assert.deepEqual([await stateOf(buyer, id), (await readOrder(db, orderId))?.state], ['pending', 'draft'])
  assert.equal(reason(await approver.does((scope) => decideApprovalByToken(scope, token, approve))), 'ok')
})

const isWaiting = async () =>
  (await pool.query(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).rows.length > 0

test('a decision at the moment at which its approver is demoted or limited comes after it', async () => {
  for (const change of [
    ({ approver }: Awaited<ReturnType<typeof asked>>) =>
      (scope: Scope) =>
        changeMemberRole(scope, approver.principal.id, 'viewer'),
    ({ approver }: Awaited<ReturnType<typeof asked>>) =>
      (scope: Scope) =>
        setBudget(scope, { kind: 'member', subjectId: approver.principal.id, monthly: null, perOrder: 99 }),
  ]) {
    const request = await asked()
    const { admin, approver, id, orderId } = request
    const changed = Promise.withResolvers<void>()
    const commit = Promise.withResolvers<void>()
    const changing = admin.does(async (scope) => {
      const outcome = await change(request)(scope)
      changed.resolve()
      await commit.promise
      assert.equal(companyOf(scope), request.company.id)
      return outcome
    })
    await changed.promise
    let isDecided = false
    const deciding = approver.does((scope) => decideApproval(scope, id, approve)).finally(() => (isDecided = true))
    while (!isDecided && !(await isWaiting())) await setTimeout(10)
    commit.resolve()
    assert.equal(reason(must(await changing)), 'ok')
    assert.equal(reason(await deciding), 'not-yours-to-decide')
    assert.equal((await readOrder(db, orderId))?.state, 'draft')
  }
})

test('the link of a mail shows a request until thirty days after its decision or expiry', async () => {
  const [decided, expired] = [await asked(), await asked()]
  must(await decided.approver.does((scope) => decideApproval(scope, decided.id, { ...approve, isApproved: false })))
  await runAt(schedules, 7 * day + 60_000)
  const shown = async ({ approver }: typeof decided) =>
    (await showApprovalByToken(database.scope({ mode: 'b2b' }), await tokenTo(approver)))?.state
  const links = async ({ id }: typeof decided) =>
    (await pool.query('select 1 from purchasing.approval_token where approval_id = $1', [id])).rows.length
  await runAt(purchasingSchedules, 30 * day - 60_000)
  assert.deepEqual([await shown(decided), await shown(expired)], ['refused', 'expired'])
  await runAt(purchasingSchedules, 30 * day + 60_000)
  assert.deepEqual([await shown(decided), await shown(expired)], [undefined, 'expired'])
  assert.deepEqual([await links(decided), await links(expired)], [0, 2], 'of both approvers')
  await runAt(purchasingSchedules, 37 * day + 120_000)
  assert.deepEqual([await shown(expired), await links(expired)], [undefined, 0])
})
