import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkInvariants } from '../../../../e2e/invariants.ts'
import { readCart } from '#cart'
import { forgetSwitches, setFlag } from '#flags'
import { readOrder } from '#orders'
import type { Scope } from '#platform'
import { testDatabase } from '#platform/testing'
import type { CreditProviderServer } from '../../../../services/src/credit-provider/index.ts'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { changeMemberRole } from '../../people/companies/change-members.ts'
import { testCredit } from '../credit/testing.ts'
import * as paymentJobs from '../payments/jobs.ts'
import { readPaymentOfOrder } from '../payments/store.ts'
import { setBudget } from '../purchasing/manage-budgets.ts'
import { cards as testCards, testProvider, type TestProvider } from '../refunds/testing.ts'
import { choosePaymentMethod, offerInvoice } from './choose-payment.ts'
import { decideApproval, orderApproved, returnToCart } from './decide-approval.ts'
import * as checkoutJobs from './jobs.ts'
import { endHold } from './jobs.ts'
import { requestApproval } from './request-approval.ts'
import { showApproval } from './show-approval.ts'
import { addOffer, companiesIn, draftOrder, fillShop, must, stockOf, type Colleague } from './testing.ts'

/** Approved orders whose payment comes to nothing: the provider says no or maybe, or the hold ends. */

const database = await testDatabase()
const { db, pool } = database
const { newCompany, join } = companiesIn(database)
const price = 100_00
let credit: CreditProviderServer
let cards: TestProvider

const work = () => runWork(database, paymentJobs.handlers, [...checkoutJobs.jobs, ...paymentJobs.jobs])
before(async () => {
  await fillShop(database)
  await database.command({}, (scope) => setFlag(scope, { market: '*', mode: 'b2b' }, 'pepePdpB2bBnpl', true))
  forgetSwitches()
  const { url } = await testGateway(pool)
  cards = await testProvider(database, url, work)
  credit = await testCredit(url)
})
after(() => Promise.all([credit.close(), cards.close()]))

const reason = (outcome: { ok: boolean; reason?: string }) => (outcome.ok ? 'ok' : outcome.reason)
const eventually = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
  for (const end = Date.now() + 20_000; Date.now() < end; await sleep(15)) {
    await credit.tick()
    await work()
    if (await holds()) return
  }
  assert.fail(`${what} did not happen`)
}

let numbers = 0
/** The provider knows a company by its number, whose last two digits decide what it may do. */
const newNumber = (end: string) => `GB1${String(++numbers).padStart(6, '0')}${end}`
const numberOf = (companyId: string, end: string) =>
  pool.query('update accounts.company set vat_number = $2 where id = $1', [companyId, newNumber(end)])

/** An order of a company with this number, beyond the limit of its buyer and approved by a colleague; 30 pieces are left after it. */
async function approved(end: string, { quantity = 1, payBy = 'invoice' }: { quantity?: number; payBy?: 'card' | 'invoice' } = {}) {
  const offerId = String(7100 + ++numbers)
  await addOffer(database, { id: offerId, price, proPrice: price, stock: quantity + 30 })
  const company = await newCompany()
  await numberOf(company.id, end)
  const [admin, approver, buyer] = [await join(company, 'admin'), await join(company, 'approver'), await join(company, 'buyer')]
  const limit = { kind: 'member' as const, subjectId: buyer.principal.id, monthly: null, perOrder: 10 }
  must(await admin.does((scope) => setBudget(scope, limit)))
  const orderId = await draftOrder(buyer, [{ offerId, quantity }])
  const { id } = must(await buyer.does((scope) => requestApproval(scope, { customerOrderId: orderId, payBy, note: '' })))
  const decision = { isApproved: true, comment: '', agreedTotal: quantity * price }
  must(await approver.does((scope) => decideApproval(scope, id, decision)))
  return { company, admin, approver, buyer, orderId, offerId, id, total: quantity * price, quantity }
}
type Approved = Awaited<ReturnType<typeof approved>>

const orderAgain = ({ buyer, id }: Approved, method?: 'card' | 'invoice', at: Partial<Scope> = {}) =>
  buyer.does((scope) => orderApproved({ ...scope, ...at }, id, randomUUID(), method))
const takeBack = ({ buyer, id }: Approved) => buyer.does((scope) => returnToCart(scope, id)).then(reason)
const stateOf = async ({ orderId }: Approved) => (await readOrder(db, orderId))?.state
const paymentOf = async ({ orderId }: Approved) => (await readPaymentOfOrder(db, orderId)) ?? assert.fail('no payment')
const seen = async ({ id }: Approved, who: Colleague) => {
  const { state, payment, canReturn } = (await showApproval(who.scope(), id)) ?? assert.fail('no request')
  return { state, payment, canReturn }
}
const spent = async ({ company }: Approved) =>
  Number((await pool.query('select coalesce(sum(amount), 0) as sum from purchasing.spend where company_id = $1', [company.id])).rows[0].sum)
const inCart = async ({ buyer }: Approved) => {
  const { lines } = await readCart(db, `c:${buyer.principal.id}:pro`, 'gb')
  return lines.map(({ offerId, quantity }) => [offerId, quantity])
}
const mailsTo = async ({ buyer }: Approved) => {
  const { rows } = await pool.query<{ subject: string; text: string }>(
    `select subject, body_text as text from mail.mail where recipient = $1 and template = 'approval-decided' order by id`,
    [buyer.email],
  )
  return rows
}
const subjects = async (of: Approved) => (await mailsTo(of)).map(({ subject }) => subject)
/** What is held for the order: its charge to the budgets, and its goods. */
const held = async (of: Approved) => ({ budget: await spent(of), pieces: of.quantity + 30 - (await stockOf(database, of.offerId)) })

const overdue = ({ orderId }: Approved) =>
  pool.query(`update orders.customer_order set holds_until = now() - interval '1 hour' where id = $1`, [orderId])
async function holdEnds(of: Approved): Promise<void> {
  await overdue(of)
  await database.command({}, (scope) => endHold(scope, of.orderId))
  await work()
}
async function payByCard(of: Approved): Promise<void> {
  await work()
  const frame = new URL((await paymentOf(of)).frameUrl ?? '')
  const body = new URLSearchParams({ number: testCards.approved, expiry: '12 / 39', code: '123', name: 'Robin Field' })
  await fetch(`http://127.0.0.1:${cards.port}${frame.pathname}${frame.search}`, { method: 'POST', body, redirect: 'manual' })
  await eventually('paid', async () => (await stateOf(of)) === 'paid')
}
async function confirm(of: Approved, answer: 'yes' | 'no'): Promise<void> {
  const page = String((await paymentOf(of)).frameUrl).replace('credit.localhost', '127.0.0.1')
  await fetch(page, { method: 'POST', body: new URLSearchParams({ answer }), redirect: 'manual' })
}
const violations = () => checkInvariants(pool, { settled: false })

test('no: the buyer hears at once that the invoice is declined; what was approved outlives its hold and is paid by card', async () => {
  const order = await approved('00')
  await eventually('declined', async () => (await paymentOf(order)).state === 'failed')
  assert.deepEqual(await subjects(order), ['Approved and ordered: £100.00 incl. VAT', 'Invoice not accepted: £100.00 incl. VAT'])
  assert.match((await mailsTo(order))[1]?.text ?? '', /pay by card[^]*The approval is valid until/)
  assert.deepEqual(await seen(order, order.buyer), { state: 'approved', payment: 'declined', canReturn: false })
  assert.equal(await takeBack(order), 'already-decided', 'its goods are held')

  await holdEnds(order)
  assert.equal(await stateOf(order), 'draft')
  assert.deepEqual(await held(order), { budget: 0, pieces: 0 })
  assert.equal((await subjects(order)).at(-1), 'Approved, but not ordered: £100.00 incl. VAT')
  assert.deepEqual(await seen(order, order.buyer), { state: 'approved', payment: 'missed', canReturn: true })
  assert.deepEqual(await seen(order, order.approver), { state: 'approved', payment: 'missed', canReturn: false })
  assert.equal((await paymentOf(order)).abandoned, 'expired')

  must(await orderAgain(order))
  assert.deepEqual(await held(order), { budget: order.total, pieces: 1 })
  assert.deepEqual(await seen(order, order.buyer), { state: 'approved', payment: 'open', canReturn: false })
  await payByCard(order)
  assert.deepEqual(await held(order), { budget: order.total, pieces: 1 })
  assert.deepEqual(await seen(order, order.buyer), { state: 'approved', payment: null, canReturn: false })
  assert.deepEqual(await violations(), [])
})

test('no, then yes: the buyer asks for the invoice again; an order approved for a card is not ordered so', async () => {
  const [order, byCard] = [await approved('00'), await approved('01', { payBy: 'card' })]
  assert.equal(reason(await orderAgain(byCard, 'invoice')), 'unknown-order')
  await eventually('declined', async () => (await paymentOf(order)).state === 'failed')
  await holdEnds(order)
  must(await orderAgain(order, 'invoice'))
  await eventually('declined again', async () => (await paymentOf(order)).state === 'failed')
  assert.equal(
    (await subjects(order)).filter((subject) => subject.startsWith('Invoice')).length,
    2,
    'each attempt is reported: its buyer may have left the page',
  )
  await holdEnds(order)
  assert.equal((await subjects(order)).filter((subject) => subject.includes('not ordered')).length, 2, 'each ended hold is reported')
  await numberOf(order.company.id, '01')
  must(await orderAgain(order, 'invoice'))
  await eventually('paid', async () => (await stateOf(order)) === 'paid')
  const { method, captured } = await paymentOf(order)
  assert.deepEqual([method, captured], ['invoice', order.total])
  assert.deepEqual(await held(order), { budget: order.total, pieces: 1 })
  assert.deepEqual(await violations(), [])
})

test('an order approved to be paid by card is not paid by the company’s invoice on the payment page either; one approved for it is', async () => {
  const order = await approved('01', { payBy: 'card' })
  must(await orderAgain(order))
  const payBy = (method: 'card' | 'invoice') =>
    order.buyer.does((scope) => choosePaymentMethod(scope, { customerOrderId: order.orderId, idempotencyKey: randomUUID(), method }))
  assert.equal(await offerInvoice(order.buyer.scope(), order.orderId), null)
  assert.equal(reason(await payBy('invoice')), 'invoice-not-offered')
  assert.deepEqual([await stateOf(order), (await paymentOf(order)).method], ['awaiting-payment', 'card'], 'its payment by card goes on')
  assert.deepEqual(await held(order), { budget: order.total, pieces: 1 })
  await payByCard(order)

  const declined = await approved('00')
  await eventually('declined', async () => (await paymentOf(declined)).state === 'failed')
  assert.notEqual(await offerInvoice(declined.buyer.scope(), declined.orderId), null, 'one approved for the invoice may ask again')
  assert.deepEqual(await violations(), [])
})

test('maybe: the buyer hears at once that the invoice waits for them; a confirmation after the hold buys nothing, one in time does', async () => {
  const order = await approved('01', { quantity: 60 })
  await eventually('asked', async () => (await paymentOf(order)).state === 'action-required')
  assert.deepEqual((await subjects(order)).slice(1), ['Please confirm the invoice: £6,000.00 incl. VAT'])
  assert.deepEqual(await seen(order, order.buyer), { state: 'approved', payment: 'undecided', canReturn: false })
  const late = await paymentOf(order)
  await overdue(order)
  await database.command({}, (scope) => endHold(scope, order.orderId))
  await fetch(String(late.frameUrl).replace('credit.localhost', '127.0.0.1'), {
    method: 'POST',
    body: new URLSearchParams({ answer: 'yes' }),
    redirect: 'manual',
  })
  await eventually('voided', async () => ['voided', 'expired'].includes((await paymentOf(order)).state))
  assert.deepEqual([await stateOf(order), await held(order)], ['draft', { budget: 0, pieces: 0 }])
  assert.equal((await paymentOf(order)).captured, 0)

  must(await orderAgain(order, 'invoice'))
  await eventually('asked again', async () => (await paymentOf(order)).state === 'action-required')
  await confirm(order, 'yes')
  await eventually('paid', async () => (await stateOf(order)) === 'paid')
  assert.deepEqual(await held(order), { budget: order.total, pieces: 60 })
  assert.deepEqual(await violations(), [])
})

test('a review that needs nothing of the buyer is not mailed about', async () => {
  const order = await approved('09')
  await eventually('paid', async () => (await stateOf(order)) === 'paid')
  assert.deepEqual(await subjects(order), ['Approved and ordered: £100.00 incl. VAT'])
})

test('an unpaid half hour by card burns neither the approval nor its goods, which return to the basket', async () => {
  const order = await approved('01', { payBy: 'card' })
  for (const round of [1, 2]) {
    must(await orderAgain(order))
    assert.deepEqual(await held(order), { budget: order.total, pieces: 1 })
    await holdEnds(order)
    await holdEnds(order)
    assert.deepEqual([await stateOf(order), await held(order)], ['draft', { budget: 0, pieces: 0 }], `round ${round}`)
  }
  assert.equal((await subjects(order)).filter((subject) => subject.includes('not ordered')).length, 2)
  const { rows } = await pool.query(`select actor, cause, to_state from orders.transition where customer_order_id = $1 order by id`, [
    order.orderId,
  ])
  assert.deepEqual(rows.at(-1), { actor: 'system', cause: 'hold-expired', to_state: 'draft' })
  assert.equal(await takeBack(order), 'ok')
  assert.deepEqual(await inCart(order), [[order.offerId, 1]])
  assert.deepEqual(await seen(order, order.buyer), { state: 'withdrawn', payment: null, canReturn: false })
  assert.deepEqual(await violations(), [])
})

test('an approval that ended while its order awaited the payment ends with the hold, and the goods return to the basket', async () => {
  const [demoted, old] = [await approved('01', { payBy: 'card' }), await approved('01', { payBy: 'card' })]
  for (const order of [demoted, old]) must(await orderAgain(order))
  must(await demoted.admin.does((scope) => changeMemberRole(scope, demoted.approver.principal.id, 'viewer')))
  await pool.query(`update purchasing.approval set expires_at = now() - interval '1 minute', is_used = true where id = $1`, [old.id])
  for (const order of [demoted, old]) {
    await holdEnds(order)
    assert.deepEqual([await stateOf(order), await held(order)], ['draft', { budget: 0, pieces: 0 }])
    assert.equal((await subjects(order)).at(-1), 'No longer approved: £100.00 incl. VAT')
    assert.deepEqual(await seen(order, order.buyer), { state: 'expired', payment: null, canReturn: true })
    assert.equal(reason(await orderAgain(order)), 'unknown-order')
    assert.equal(await takeBack(order), 'ok')
    assert.deepEqual(await inCart(order), [[order.offerId, 1]])
  }
})

/** The end of the hold and a command or a message of the provider at the same moment. */
const rivals: [string, (of: Approved) => Promise<unknown>, payBy?: 'invoice'][] = [
  ['another order of the same', (of) => orderAgain(of)],
  ['the return of its goods', (of) => takeBack(of)],
  [
    'another way to pay',
    (of) =>
      of.buyer.does((scope) => choosePaymentMethod(scope, { customerOrderId: of.orderId, idempotencyKey: randomUUID(), method: 'card' })),
    'invoice',
  ],
  ['its payment', payFor],
  ['a second end', (of) => database.command({}, (scope) => endHold(scope, of.orderId))],
]
async function payFor(of: Approved): Promise<void> {
  const frame = new URL((await paymentOf(of)).frameUrl ?? '')
  const body = new URLSearchParams({ number: testCards.approved, expiry: '12 / 39', code: '123', name: 'Robin Field' })
  await fetch(`http://127.0.0.1:${cards.port}${frame.pathname}${frame.search}`, { method: 'POST', body, redirect: 'manual' })
  await work()
}
for (const [name, rival, payBy = 'card'] of rivals)
  test(`the end of a hold and ${name} at once hold budget and goods as often as the order is placed, and nothing twice`, async () => {
    for (let round = 0; round < 4; round++) {
      // An invoice is declined: it awaits the payment, as one that is paid by card does.
      const order = await approved(payBy === 'card' ? '01' : '00', { payBy })
      must(await orderAgain(order))
      await work()
      await overdue(order)
      await Promise.all([database.command({}, (scope) => endHold(scope, order.orderId)), rival(order)])
      await work()
      const isPlaced = !['draft', 'cancelled'].includes((await stateOf(order)) ?? '')
      assert.deepEqual(await held(order), isPlaced ? { budget: order.total, pieces: 1 } : { budget: 0, pieces: 0 })
      const { state } = await seen(order, order.buyer)
      assert.ok(state === 'approved' || (state === 'withdrawn' && !isPlaced), state)
      assert.deepEqual(await inCart(order), state === 'withdrawn' ? [[order.offerId, 1]] : [])
    }
    assert.deepEqual(await violations(), [])
  })

test('the goods of an approved order that was cancelled unpaid, as earlier releases did, return to the basket; those of a paid one do not', async () => {
  const [cancelled, paid] = [await approved('01', { payBy: 'card' }), await approved('01', { payBy: 'card' })]
  for (const [order, at] of [
    [cancelled, null],
    [paid, new Date()],
  ] as const) {
    must(await orderAgain(order))
    await pool.query(`update orders.customer_order set state = 'cancelled', paid_at = $2 where id = $1`, [order.orderId, at])
  }
  assert.deepEqual(await seen(cancelled, cancelled.buyer), { state: 'approved', payment: 'missed', canReturn: true })
  assert.equal(await takeBack(cancelled), 'ok')
  assert.deepEqual(await inCart(cancelled), [[cancelled.offerId, 1]])
  assert.deepEqual(await seen(paid, paid.buyer), { state: 'approved', payment: null, canReturn: false })
  assert.equal(await takeBack(paid), 'already-decided')
})
