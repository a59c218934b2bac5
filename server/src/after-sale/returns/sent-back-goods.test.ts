import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testSellerMember } from '@purlin/contract/testing.ts'
import { ownerOf } from '#accounts'
import { moveLines, quantityStates } from '#orders'
import { newId } from '#platform'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { insertUpload, settleUpload } from '../../people/uploads/store.ts'
import * as checkoutJobs from '../../selling/checkout/jobs.ts'
import { addOffer, companiesIn, fillShop, newBuyer, type Buyer } from '../../selling/checkout/testing.ts'
import * as paymentJobs from '../../selling/payments/jobs.ts'
import * as refundJobs from '../../selling/refunds/jobs.ts'
import { testProvider } from '../../selling/refunds/testing.ts'
import { endUnclaimed } from '../disputes/end-unclaimed.ts'
import { findReturning } from './find-returning.ts'
import { acceptOrSendAgain } from './accept-or-send-again.ts'
import { handleReturn, type ReturnDeed } from './handle-return.ts'
import { handlers } from './jobs.ts'
import { requestReturn, type RequestReturn } from './request-return.ts'
import { showReturn, showReturnOptions } from './show-return.ts'

/** Goods that come back to their buyer, or others in their place, with an order without payment. */

const database = await testDatabase()
await fillShop(database)
await addOffer(database, { id: '8501', stock: 1000, price: 2000 })
const work = () =>
  runWork(database, [...paymentJobs.handlers, ...refundJobs.handlers, ...handlers], [...checkoutJobs.jobs, ...paymentJobs.jobs])
const gateway = await testGateway(database.pool)
const provider = await testProvider(database, gateway.url, work)
after(() => provider.close())

const lines = [{ offerId: '8501', quantity: 1 }]
async function arrive(orderId: string): Promise<void> {
  for (const [actor, from, to] of [
    ['seller', 'pending', 'accepted'],
    ['seller', 'accepted', 'shipped'],
    ['carrier', 'shipped', 'delivered'],
  ] as const) {
    const moves = lines.map((line) => ({ ...line, from, to }))
    const moved = await database.command({}, (scope) => moveLines(scope, { sellerOrderId: `${orderId}-1`, actor, reason: 'test', moves }))
    assert.ok(moved.ok)
  }
  await work()
}
async function delivered(buyer: Buyer = newBuyer(database)): Promise<{ id: string; buyer: Buyer }> {
  const id = await provider.paidOrder(buyer, lines)
  await arrive(id)
  return { id, buyer }
}
/** A piece of the order arrived so many days ago. */
const arrivedAgo = (orderId: string, days: number) =>
  database.pool.query(
    `update orders.line_move set at = now() - make_interval(days => $2, mins => 5) where seller_order_id = $1 and to_state = 'delivered'`,
    [`${orderId}-1`, days],
  )
const ask = (buyer: Buyer, orderId: string, more: Partial<RequestReturn> = {}) =>
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
      ...more,
    }),
  )
const handle = (id: string, deed: Partial<ReturnDeed> & Pick<ReturnDeed, 'do'>) =>
  database.command({ principal: testSellerMember({ sellerId: 1 }) }, (scope) =>
    handleReturn(scope, id, { finding: '', amount: null, note: null, ...deed }),
  )
async function photoOf(buyer: Buyer): Promise<string> {
  const id = newId()
  await insertUpload(database.db, { id, owner: ownerOf(buyer.scope()) ?? '', bytes: 100 })
  await settleUpload(database.db, id, { key: `upload/${id}`, name: 'crack.jpg', bytes: 100 })
  return id
}
/** A claim for a defect, accepted, received and inspected. */
async function claimed(buyer: Buyer, orderId: string, wish = 'refund'): Promise<string> {
  const asked = await ask(buyer, orderId, { reason: 'defective', wish, photos: [await photoOf(buyer)] })
  assert.ok(asked.ok, JSON.stringify(asked))
  for (const deed of ['accept', 'receive'] as const) assert.ok((await handle(asked.id, { do: deed })).ok)
  assert.ok((await handle(asked.id, { do: 'inspect', finding: 'as-described' })).ok)
  return asked.id
}
/** The order without payment that follows from a claim. */
async function orderAfter(buyer: Buyer, orderId: string, end: { wish?: string; do: 'refuse' | 'exchange' }): Promise<string> {
  const id = await claimed(buyer, orderId, end.wish)
  assert.ok((await handle(id, { do: end.do, note: 'Nothing is wrong' })).ok)
  const back = (await showReturn(buyer.scope(), id))?.replacement?.customerOrderId
  assert.ok(back)
  return back
}
const offered = async (buyer: Buyer, orderId: string) =>
  (await showReturnOptions(buyer.scope(), orderId, `${orderId}-1`, lines))?.reasons.find(({ reason }) => reason === 'changed-mind')

for (const [what, end] of [
  ['whose claim was refused', { do: 'refuse' }],
  ['that were repaired', { do: 'exchange', wish: 'repair' }],
] as const)
  test(`R-135 a consumer withdraws from goods ${what} within fourteen days of their first arrival, and is refunded from the order they were bought with`, async () => {
    const { id, buyer } = await delivered()
    const back = await orderAfter(buyer, id, end)
    await arrive(back)
    await arrivedAgo(id, 3)
    const offer = await offered(buyer, back)
    assert.deepEqual([offer?.isWithdrawal, offer?.refund.amount], [true, 2490], 'with the delivery')
    assert.ok((offer?.daysLeft ?? 99) < ((await offered(await bought(), lastId))?.daysLeft ?? 0), 'their first arrival counts')
    await arrivedAgo(id, 20)
    assert.equal(await offered(buyer, back), undefined)
    await arrivedAgo(id, 3)

    const asked = await ask(buyer, back)
    assert.ok(asked.ok)
    assert.deepEqual(await ask(buyer, id), { ok: false, reason: 'nothing-to-return' })
    const refund = (amount: number) => handle(asked.id, { do: 'refund', amount, note: 'It looks used' })
    assert.deepEqual(await refund(1), { ok: false, reason: 'not-now' }, 'nothing is deducted before an inspection')
    await handle(asked.id, { do: 'receive' })
    await handle(asked.id, { do: 'inspect', finding: 'as-described' })
    assert.deepEqual(await refund(1), { ok: false, reason: 'not-now' })
    assert.ok((await handle(asked.id, { do: 'refund' })).ok)
    await work()
    assert.equal(await provider.refundedOf(id), 2490)
  })

let lastId = ''
async function bought(): Promise<Buyer> {
  const { id, buyer } = await delivered()
  lastId = id
  return buyer
}

test('goods that were refused twice are still withdrawn from by the time of the order they were bought with; what replaced others is not', async () => {
  const { id, buyer } = await delivered()
  const first = await orderAfter(buyer, id, { do: 'refuse' })
  await arrive(first)
  const second = await orderAfter(buyer, first, { do: 'refuse' })
  await arrive(second)
  await arrivedAgo(id, 3)
  assert.equal((await offered(buyer, second))?.isWithdrawal, true)
  assert.deepEqual(await ask(buyer, first), { ok: false, reason: 'nothing-to-return' })

  const other = await delivered()
  const replaced = await orderAfter(other.buyer, other.id, { do: 'exchange', wish: 'replacement' })
  await arrive(replaced)
  assert.equal(await offered(other.buyer, replaced), undefined)
  const back = await orderAfter(other.buyer, replaced, { do: 'refuse' })
  await arrive(back)
  assert.equal(await offered(other.buyer, back), undefined)
})

test('goods that the right of withdrawal excepts are not withdrawn from once they have been sent back', async () => {
  const { id, buyer } = await delivered()
  const asked = await ask(buyer, id)
  assert.ok(asked.ok)
  await handle(asked.id, { do: 'receive' })
  await handle(asked.id, { do: 'inspect', finding: 'used' })
  assert.ok((await handle(asked.id, { do: 'refuse', finding: 'unsealed-hygiene' })).ok)
  const back = (await showReturn(buyer.scope(), asked.id))?.replacement?.customerOrderId ?? ''
  await arrive(back)
  assert.equal(await offered(buyer, back), undefined)
  assert.deepEqual(await ask(buyer, back), { ok: false, reason: 'not-offered' })
})

test('a business returns goods that were sent back to it within the days it was promised with its order', async () => {
  const companies = companiesIn(database)
  const company = { ...(await companies.newCompany()), prefersVat: false }
  const professional = await companies.join(company, 'admin')
  const { id, buyer } = await delivered(professional)
  await database.pool.query('update orders.customer_order set free_return_days = 30 where id = $1', [id])
  const back = await orderAfter(buyer, id, { do: 'refuse' })
  await arrive(back)
  await arrivedAgo(id, 12)
  assert.equal((await offered(buyer, back))?.daysLeft, 18)
  await arrivedAgo(id, 31)
  assert.equal(await offered(buyer, back), undefined)
})

test('a claim about goods in place of others is refunded no less than the price of the first ones, which the buyer reads, and a part of it can be agreed on', async () => {
  const { id, buyer } = await delivered()
  const replaced = await orderAfter(buyer, id, { do: 'exchange', wish: 'replacement' })
  await arrive(replaced)
  const options = await showReturnOptions(buyer.scope(), replaced, `${replaced}-1`, lines)
  assert.equal(options?.reasons.find(({ reason }) => reason === 'defective')?.refund.amount, 2490)
  const part = { reason: 'defective', wish: 'part-refund', amount: 700, photos: [await photoOf(buyer)] }
  assert.deepEqual(await ask(buyer, replaced, { ...part, amount: 2001 }), { ok: false, reason: 'amount-invalid' })
  const claim = await claimed(buyer, replaced)
  assert.deepEqual(await handle(claim, { do: 'refund', amount: 1, note: 'It looks used' }), { ok: false, reason: 'not-now' })
  assert.ok((await handle(claim, { do: 'refund' })).ok)
  await work()
  assert.equal(await provider.refundedOf(id), 2490)

  const other = await delivered()
  const next = await orderAfter(other.buyer, other.id, { do: 'exchange', wish: 'replacement' })
  await arrive(next)
  const asked = await ask(other.buyer, next, { ...part, photos: [await photoOf(other.buyer)] })
  assert.ok(asked.ok, JSON.stringify(asked))
  for (const deed of ['accept', 'refund'] as const) assert.ok((await handle(asked.id, { do: deed })).ok)
  await work()
  assert.equal(await provider.refundedOf(other.id), 700)
})

test('the money of the first order waits for claims about what replaced its goods, until the buyer has them again', async () => {
  const { id, buyer } = await delivered()
  const replaced = await orderAfter(buyer, id, { do: 'exchange', wish: 'replacement' })
  await arrive(replaced)
  const isHeld = async () => (await findReturning(database.db, [`${id}-1`, `${replaced}-1`])).has(`${id}-1`)
  assert.equal(await isHeld(), false)
  const claim = await claimed(buyer, replaced)
  assert.equal(await isHeld(), true, 'a claim is undecided')
  assert.ok((await handle(claim, { do: 'refuse', note: 'Worn out' })).ok)
  assert.equal(await isHeld(), true, 'the goods are still to be sent back')
  await arrive((await showReturn(buyer.scope(), claim))?.replacement?.customerOrderId ?? '')
  assert.equal(await isHeld(), false)
})

/** Accepted goods are sent and do not arrive. */
async function send(orderId: string, reason: string): Promise<void> {
  for (const [actor, from, to] of [
    ['seller', 'accepted', 'shipped'],
    ['carrier', 'shipped', 'incident-open'],
  ] as const) {
    const moves = lines.map((line) => ({ ...line, from, to }))
    const moved = await database.command({}, (scope) => moveLines(scope, { sellerOrderId: `${orderId}-1`, actor, reason, moves }))
    assert.ok(moved.ok)
  }
  await work()
}
/** The parcel of an order without payment comes back to its seller. */
async function comeBack(orderId: string, reason: string): Promise<void> {
  const moves = lines.map((line) => ({ ...line, from: 'pending' as const, to: 'accepted' as const }))
  const accepted = { sellerOrderId: `${orderId}-1`, actor: 'seller', reason: 'test', moves } as const
  assert.ok((await database.command({}, (scope) => moveLines(scope, accepted))).ok)
  await send(orderId, reason)
}
const pieceOf = async (orderId: string) => Object.keys((await quantityStates(database.db, [`${orderId}-1`]))[0]?.quantities ?? {}).join()
const mailOf = async (orderId: string) =>
  (
    await database.pool.query<{ template: string; text: string }>(
      `select template, body_text as text from mail.mail where key like $1 order by id desc limit 1`,
      [`seller-order:${orderId}-1:%`],
    )
  ).rows[0]
const heldFor = async (id: string, back: string) => (await findReturning(database.db, [`${id}-1`, `${back}-1`])).has(`${id}-1`)
const endAfter = async (orderId: string, days: number) => {
  const now = new Date(Date.now() + days * 86_400_000)
  await database.command({ now }, (scope) => endUnclaimed(scope, { customerOrderId: orderId, sellerOrderId: `${orderId}-1` }))
  await work()
}

for (const [what, end] of [
  ['whose claim was refused', { do: 'refuse' }],
  ['that were repaired', { do: 'exchange', wish: 'repair' }],
] as const)
  for (const [how, reason, template] of [
    ['left at the pick-up point', 'not-collected', 'shipment-left-at-point'],
    ['not accepted at the door', 'returned-to-sender', 'shipment-incident'],
  ] as const)
    test(`R-135 after the withdrawal period goods ${what} are not paid back because they are ${how}: they wait to be sent again, and their money with them`, async () => {
      const { id, buyer } = await delivered()
      const back = await orderAfter(buyer, id, end)
      await arrivedAgo(id, 400)
      await comeBack(back, reason)
      assert.deepEqual([await pieceOf(back), await provider.refundedOf(id)], ['incident-open', 0])
      const mail = await mailOf(back)
      assert.equal(mail?.template, template)
      assert.match(mail.text, /Please report it from your order by /)
      assert.doesNotMatch(mail.text, /money back/)
      assert.equal(await heldFor(id, back), end.do === 'refuse')
      await endAfter(back, 29.9)
      assert.equal(await pieceOf(back), 'incident-open', 'the buyer may still report them')
      await endAfter(back, 30.1)
      assert.deepEqual([await pieceOf(back), await provider.refundedOf(id), await heldFor(id, back)], ['closed', 0, false])
    })

test('R-482 a seller sends goods again that have come back by accepting them by name; what the carrier has lost is not accepted', async () => {
  const { id, buyer } = await delivered()
  const back = await orderAfter(buyer, id, { do: 'refuse' })
  await arrivedAgo(id, 400)
  const accept = (named: typeof lines | null) =>
    database.command({ principal: testSellerMember({ sellerId: 1 }) }, (scope) =>
      acceptOrSendAgain(scope, { sellerOrderId: `${back}-1`, lines: named }),
    )
  await comeBack(back, 'not-collected')
  assert.equal((await accept(null)).ok, false, 'all that wait are none')
  assert.equal((await accept([{ offerId: '8501', quantity: 2 }])).ok, false)
  assert.equal(await pieceOf(back), 'incident-open')
  assert.ok((await accept(lines)).ok)
  assert.equal(await pieceOf(back), 'accepted')
  await send(back, 'carrier-lost')
  assert.deepEqual(await accept(lines), { ok: false, reason: 'not-in-this-state' })
  assert.deepEqual([await pieceOf(back), await provider.refundedOf(id)], ['incident-open', 0])
})

test('R-135 goods whose claim was refused are paid back at once if nobody collects them while they can be withdrawn from', async () => {
  const { id, buyer } = await delivered()
  const back = await orderAfter(buyer, id, { do: 'refuse' })
  await comeBack(back, 'not-collected')
  assert.deepEqual([await pieceOf(back), await provider.refundedOf(id)], ['closed', 2490])
  assert.match((await mailOf(back))?.text ?? '', /you get your money back/)
})

test('goods of a business that nobody collects are paid back while it may return them, and wait for their seller afterwards', async () => {
  const companies = companiesIn(database)
  const company = { ...(await companies.newCompany()), prefersVat: false }
  for (const [days, refunded] of [
    [29, 2000],
    [31, 0],
  ] as const) {
    const { id, buyer } = await delivered(await companies.join(company, 'admin'))
    await database.pool.query('update orders.customer_order set free_return_days = 30 where id = $1', [id])
    const back = await orderAfter(buyer, id, { do: 'refuse' })
    await arrivedAgo(id, days)
    await comeBack(back, 'not-collected')
    assert.equal(await provider.refundedOf(id), refunded, `after ${days} days`)
  }
})

test('others in place of the goods wait for their seller if nobody collects them, and are paid back if they are not sent again', async () => {
  const { id, buyer } = await delivered()
  const replaced = await orderAfter(buyer, id, { do: 'exchange', wish: 'replacement' })
  await comeBack(replaced, 'not-collected')
  assert.deepEqual([await pieceOf(replaced), await provider.refundedOf(id)], ['incident-open', 0])
  assert.match((await mailOf(replaced))?.text ?? '', /has not sent them again by \d+ \w+, you get your money back/)
  await endAfter(replaced, 14.1)
  assert.deepEqual([await pieceOf(replaced), await provider.refundedOf(id)], ['closed', 2490])
})
