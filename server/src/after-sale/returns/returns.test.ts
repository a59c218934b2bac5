import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { marketCodes } from '@purlin/contract/markets.ts'
import { testSellerMember } from '@purlin/contract/testing.ts'
import { checkInvariants } from '../../../../e2e/invariants.ts'
import { moveLines, orderToken, type SellerOrderState } from '#orders'
import { newId, settings } from '#platform'
import { testDatabase } from '#platform/testing'
import { readRefundsOf, requestRefund } from '#refunds'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { insertUpload, settleUpload } from '../../people/uploads/store.ts'
import { openOrderByToken } from '../../selling/checkout/open-order-by-token.ts'
import * as checkoutJobs from '../../selling/checkout/jobs.ts'
import { showOrder } from '../../selling/checkout/show-order.ts'
import { addOffer, fillShop, newBuyer, stockOf, type Buyer } from '../../selling/checkout/testing.ts'
import { allowByToken } from '../../selling/orders/access-token.ts'
import * as paymentJobs from '../../selling/payments/jobs.ts'
import * as refundJobs from '../../selling/refunds/jobs.ts'
import { testProvider } from '../../selling/refunds/testing.ts'
import { listOrders } from '../../selling/orders/list-orders.ts'
import { acceptSale, shipLines } from '../fulfilment/index.ts'
import { cancelLines } from './cancel-lines.ts'
import { endAwaited, remindOfAwaited, type AwaitedJob } from './end-awaited.ts'
import { findReturning } from './find-returning.ts'
import { followReturnParcel } from './follow-parcel.ts'
import { handleReturn, stepByBuyer, type ReturnDeed } from './handle-return.ts'
import { handlers } from './jobs.ts'
import { lapseReturns } from './lapse-returns.ts'
import { offeredReturn, returnReasons, withdrawalDaysLeft, type ReturnCase } from './offered-return.ts'
import { requestReturn, type RequestReturn } from './request-return.ts'
import { canReturnStep, returnStates, returnSteps, type ReturnState } from './return-request.ts'
import { listReturnFeedback, rateReturn } from './rate-return.ts'
import { returnToken } from './return-link.ts'
import { writeLabel } from './return-store.ts'
import { listReturns, listReturnsToHandle, showReturn, showReturnOptions } from './show-return.ts'

const database = await testDatabase()
await fillShop(database)
for (const id of ['8101', '8102']) await addOffer(database, { id, stock: 1000, price: 2000 })
const work = () =>
  runWork(database, [...paymentJobs.handlers, ...refundJobs.handlers, ...handlers], [...checkoutJobs.jobs, ...paymentJobs.jobs])
const gateway = await testGateway(database.pool)
const provider = await testProvider(database, gateway.url, work)
after(() => provider.close())

/** Two drills and a saw at £20, delivered free of charge: £60. */
const drillsAndSaw = [
  { offerId: '8101', quantity: 2 },
  { offerId: '8102', quantity: 1 },
]
async function delivered(lines = drillsAndSaw): Promise<{ id: string; buyer: Buyer }> {
  const buyer = newBuyer(database)
  const id = await provider.paidOrder(buyer, lines)
  const go = (actor: 'seller' | 'carrier', from: 'pending' | 'accepted' | 'shipped', to: 'accepted' | 'shipped' | 'delivered') =>
    database.command({}, (scope) =>
      moveLines(scope, { sellerOrderId: `${id}-1`, actor, reason: 'test', moves: lines.map((line) => ({ ...line, from, to })) }),
    )
  await go('seller', 'pending', 'accepted')
  await go('seller', 'accepted', 'shipped')
  await go('carrier', 'shipped', 'delivered')
  await work()
  return { id, buyer }
}
const ask = (buyer: Buyer, id: string, more: Partial<RequestReturn> = {}) =>
  buyer.does((scope) =>
    requestReturn(scope, {
      customerOrderId: id,
      sellerOrderId: `${id}-1`,
      lines: [{ offerId: '8101', quantity: 1 }],
      reason: 'changed-mind',
      wish: 'refund',
      method: 'label',
      description: '',
      photos: [],
      ...more,
    }),
  )
const seller = { principal: testSellerMember({ sellerId: 1 }) }
const handle = (id: string, deed: Partial<ReturnDeed> & Pick<ReturnDeed, 'do'>, who: object = seller) =>
  database.command(who, (scope) => handleReturn(scope, id, { finding: '', amount: null, note: null, ...deed }))
async function photoOf(buyer: Buyer): Promise<string> {
  const id = newId()
  await insertUpload(database.db, { id, owner: `s:${buyer.scope().session?.id}`, bytes: 100 })
  await settleUpload(database.db, id, { key: `upload/${id}`, name: 'crack.jpg', bytes: 100 })
  return id
}
const mailsTo = (email: string) =>
  database.db.rows<{ subject: string; text: string }>(
    {
      name: 'test.return-mails',
      text: `select subject, body_text as text from mail.mail where recipient = $1 and template = 'return' order by id`,
    },
    [email],
  )

test('R-484 an accepted return of goods that stay is settled without money when everything was paid back meanwhile: it can be refused no more', async () => {
  const { id, buyer } = await delivered()
  const asked = await ask(buyer, id, { reason: 'missing-part', wish: 'part-refund', amount: 500 })
  assert.ok(asked.ok)
  assert.deepEqual(await handle(asked.id, { do: 'accept' }), { ok: true, state: 'accepted' })
  const extra = { offerId: null, amount: 6000 }
  const wish = { customerOrderId: id, sellerOrderId: `${id}-1`, cause: 'goodwill', key: `all:${id}`, extra } as const
  assert.ok(await database.command({}, (scope) => requestRefund(scope, wish)))
  assert.deepEqual(await handle(asked.id, { do: 'refuse' }), { ok: false, reason: 'not-now' })
  assert.deepEqual(await handle(asked.id, { do: 'refund' }), { ok: true, state: 'refunded' })
  await work()
  assert.equal(await provider.refundedOf(id), 6000)
})

test('R-484 a withdrawal after everything was paid back otherwise is settled without money, and does not stay open for ever', async () => {
  const { id, buyer } = await delivered()
  const asked = await ask(buyer, id)
  assert.ok(asked.ok)
  const { rows } = await database.pool.query<{ total: number }>('select total from orders.customer_order where id = $1', [id])
  const total = rows[0]?.total ?? 0
  const gave = await database.command({}, async (scope) => {
    const wish = { customerOrderId: id, sellerOrderId: `${id}-1`, cause: 'goodwill' as const, key: `all:${id}` }
    return { ok: (await requestRefund(scope, { ...wish, extra: { offerId: null, amount: total } })) !== undefined }
  })
  assert.ok(gave.ok)
  await work()
  const refund: ReturnDeed = { do: 'refund', finding: '', amount: null, note: null }
  const settled = await database.command({ principal: testSellerMember() }, (scope) => handleReturn(scope, asked.id, refund))
  assert.deepEqual(settled, { ok: true, state: 'refunded' })
  await work()
  assert.equal(await provider.refundedOf(id), total)
})

test('R-135 a guest withdraws through the link of a mail: acknowledged at once with content, date and time, refunded on arrival', async () => {
  const { id, buyer } = await delivered()
  const guest = newBuyer(database)
  assert.deepEqual(await ask(guest, id), { ok: false, reason: 'unknown-order' })
  const { token } = await allowByToken(database.db, settings().mail.linkSecret, id)
  assert.equal(token, orderToken(settings().mail.linkSecret, id))
  await guest.does((scope) => openOrderByToken(scope, token))
  const asked = await ask(guest, id)
  assert.ok(asked.ok)
  const [mail] = await mailsTo(buyer.email)
  assert.match(mail?.subject ?? '', /We have received your withdrawal 5\d+/)
  assert.match(mail?.text ?? '', /reached us on \d+ \w+ 20\d\d at \d\d:\d\d/)
  assert.match(mail?.text ?? '', new RegExp(`${id}[^]*I have changed my mind[^]*1 × Drill 8101`))
  assert.equal((await showReturn(guest.scope(), asked.id))?.state, 'label-sent', 'nobody has to agree to a withdrawal')
  assert.deepEqual(await handle(asked.id, { do: 'refuse', note: 'No' }), { ok: false, reason: 'not-now' })
  assert.equal((await guest.does((scope) => stepByBuyer(scope, asked.id, 'in-transit'))).ok, true)
  assert.deepEqual(await handle(asked.id, { do: 'receive' }), { ok: true, state: 'received' })
  assert.deepEqual(await handle(asked.id, { do: 'inspect', finding: 'as-described' }), { ok: true, state: 'inspected' })
  assert.deepEqual(await handle(asked.id, { do: 'refund' }), { ok: true, state: 'refunded' })
  await work()
  assert.equal(await provider.refundedOf(id), 2000)
  assert.equal((await readRefundsOf(database.db, id))[0]?.cause, 'withdrawal')
})

test('R-135 a withdrawal is refused only on an exception of the law, said to the buyer; it is not declared again, and faults still are', async () => {
  const { id, buyer } = await delivered()
  const asked = await ask(buyer, id)
  assert.ok(asked.ok)
  const refuse = (finding: string) => handle(asked.id, { do: 'refuse', finding, note: 'Mixed to RAL 5010 for you.' })
  for (const finding of ['', 'used', 'no-such-exception', 'unsealed-hygiene', 'mixed'])
    assert.deepEqual(await refuse(finding), { ok: false, reason: 'not-now' }, finding)
  assert.deepEqual(await refuse('made-to-order'), { ok: true, state: 'refused' })
  const said = /no right to cancel for goods made to order[^]*Mixed to RAL 5010/
  assert.match((await mailsTo(buyer.email)).at(-1)?.text ?? '', said)
  assert.match((await showReturn(buyer.scope(), asked.id))?.decisionNote ?? '', said)
  assert.equal((await buyer.does((scope) => stepByBuyer(scope, asked.id, 'closed'))).ok, true)
  assert.deepEqual(await ask(buyer, id), { ok: false, reason: 'not-offered' })
  assert.ok((await ask(buyer, id, { lines: [{ offerId: '8102', quantity: 1 }] })).ok, 'other goods of the order')
  const faulty = await ask(buyer, id, { reason: 'defective', photos: [await photoOf(buyer)] })
  assert.ok(faulty.ok)
  assert.deepEqual(await handle(faulty.id, { do: 'refuse', finding: 'made-to-order' }), { ok: true, state: 'refused' })

  const other = await delivered()
  const opened = await ask(other.buyer, other.id)
  assert.ok(opened.ok)
  await handle(opened.id, { do: 'receive' })
  await handle(opened.id, { do: 'inspect', finding: 'used' })
  assert.deepEqual(await handle(opened.id, { do: 'refuse', finding: 'unsealed-hygiene' }), { ok: true, state: 'refused' })
})

test('R-135 withdrawn goods are refunded whole, delivery included; the seller deducts only after an inspection, and says why', async () => {
  const { id, buyer } = await delivered()
  const asked = await ask(buyer, id, { lines: [{ offerId: '8101', quantity: 1 }] })
  assert.ok(asked.ok)
  const refund = (amount: number | null, note: string | null = null) => handle(asked.id, { do: 'refund', amount, note })
  assert.deepEqual(await refund(1), { ok: false, reason: 'not-now' }, 'with nothing received')
  await handle(asked.id, { do: 'receive' })
  assert.deepEqual(await refund(1), { ok: false, reason: 'not-now' })
  await handle(asked.id, { do: 'inspect', finding: 'used' })
  assert.deepEqual(await handle(asked.id, { do: 'exchange' }), { ok: false, reason: 'not-now' }, 'money back is the right')
  assert.deepEqual(await refund(1999), { ok: false, reason: 'input-invalid' }, 'without a reason for the buyer')
  assert.deepEqual(await refund(1500, 'Drilled concrete; write to me at sam@example.com'), { ok: true, state: 'refunded' })
  await work()
  assert.equal(await provider.refundedOf(id), 1500)
  const mail = (await mailsTo(buyer.email)).at(-1)
  assert.match(
    mail?.text ?? '',
    /deducted £5\.00 from the price because the goods came back more used[^]*Drilled concrete; write to me at \[…\]/,
  )

  const second = await ask(buyer, id, { lines: [{ offerId: '8101', quantity: 1 }] })
  assert.ok(second.ok)
  await handle(second.id, { do: 'receive' })
  await handle(second.id, { do: 'inspect', finding: 'as-described' })
  assert.deepEqual(await handle(second.id, { do: 'refund', amount: 1999, note: 'No' }), { ok: false, reason: 'not-now' })
  assert.deepEqual(await handle(second.id, { do: 'refund', amount: 2000 }), { ok: true, state: 'refunded' })
  await work()
  assert.equal(await provider.refundedOf(id), 3500, 'what was deducted from the first is not paid with the second')
})

test('R-484 a defective piece is replaced by an order without payment, which the seller ships like any other', async () => {
  const { id, buyer } = await delivered()
  const asked = await ask(buyer, id, { reason: 'defective', wish: 'replacement', photos: [await photoOf(buyer)] })
  assert.ok(asked.ok)
  await handle(asked.id, { do: 'accept' })
  await handle(asked.id, { do: 'receive' })
  await handle(asked.id, { do: 'inspect', finding: 'as-described' })
  const before = Number(await stockOf(database, '8101'))
  assert.deepEqual(await handle(asked.id, { do: 'exchange' }), { ok: true, state: 'exchanged' })
  assert.deepEqual(await handle(asked.id, { do: 'exchange' }), { ok: false, reason: 'not-now' }, 'once')
  const shown = await showReturn(buyer.scope(), asked.id)
  const replacement = shown?.replacement
  assert.ok(replacement)
  const { customerOrderId, sellerOrderId } = replacement
  const order = await showOrder(buyer.scope(), customerOrderId)
  assert.deepEqual(
    [order?.state, order?.payment, order?.totals.totalWithVat.amount, order?.replaces],
    ['paid', null, 0, { customerOrderId: id, sellerOrderId: `${id}-1` }],
  )
  assert.deepEqual(
    order?.sellerOrders.map((part) => [part.id, part.state, part.lines.map(({ offerId, quantity }) => [offerId, quantity])]),
    [[sellerOrderId, 'pending', [['8101', 1]]]],
  )
  assert.equal(Number(await stockOf(database, '8101')), before - 1)
  assert.equal(await showOrder(newBuyer(database).scope(), customerOrderId), null, 'nobody else’s')
  const { reasons } = (await showReturnOptions(buyer.scope(), customerOrderId, sellerOrderId, [])) ?? {}
  assert.ok(!reasons?.some(({ isWithdrawal }) => isWithdrawal), 'it is no new contract')
  const lines = [{ offerId: '8101', quantity: 1 }]
  assert.deepEqual(await buyer.does((scope) => cancelLines(scope, { ...replacement, lines, reason: 'changed-mind' })), {
    ok: false,
    reason: 'nothing-to-cancel',
  })
  assert.equal(await provider.refundedOf(id), 0)

  // The seller has none after all: the money of the first order goes back, once.
  const moves = [{ offerId: '8101', quantity: 1, from: 'pending', to: 'refused' }] as const
  await database.command({}, (scope) => moveLines(scope, { sellerOrderId, actor: 'seller', reason: 'out-of-stock', moves }))
  await work()
  assert.equal(await provider.refundedOf(id), 2000)
  assert.deepEqual(
    (await readRefundsOf(database.db, id)).map(({ cause, sellerOrderId: of }) => [cause, of]),
    [['return', `${id}-1`]],
  )
  assert.equal((await ask(buyer, id, { lines: [{ offerId: '8101', quantity: 2 }] })).ok, false, 'replaced pieces are not returned again')
})

test('R-484 somebody who has come by the link of a mail opens the replacement from the page of the return', async () => {
  const { id, buyer } = await delivered()
  const guest = newBuyer(database)
  const { token } = await allowByToken(database.db, settings().mail.linkSecret, id)
  await guest.does((scope) => openOrderByToken(scope, token))
  const asked = await ask(guest, id, { reason: 'defective', wish: 'replacement', photos: [await photoOf(guest)] })
  assert.ok(asked.ok)
  for (const deed of [{ do: 'accept' }, { do: 'receive' }, { do: 'inspect', finding: 'as-described' }, { do: 'exchange' }] as const)
    assert.ok((await handle(asked.id, deed)).ok, deed.do)
  const { replacement, replacementToken } = (await showReturn(guest.scope(), asked.id)) ?? {}
  assert.ok(replacement && replacementToken)
  assert.equal(await showOrder(guest.scope(), replacement.customerOrderId), null, 'the link opened the first order alone')
  assert.ok((await guest.does((scope) => openOrderByToken(scope, replacementToken))).ok)
  assert.equal((await showOrder(guest.scope(), replacement.customerOrderId))?.id, replacement.customerOrderId)
  assert.equal((await showReturn(buyer.scope(), asked.id))?.replacementToken, null, 'its owner needs none')
})

test('R-484 a repaired piece comes back with a parcel of its own, and takes none from the seller’s stock', async () => {
  const { id, buyer } = await delivered()
  const asked = await ask(buyer, id, { reason: 'defective', wish: 'repair', photos: [await photoOf(buyer)] })
  assert.ok(asked.ok)
  for (const deed of ['accept', 'receive'] as const) await handle(asked.id, { do: deed })
  await handle(asked.id, { do: 'inspect', finding: 'as-described' })
  const before = Number(await stockOf(database, '8101'))
  assert.deepEqual(await handle(asked.id, { do: 'exchange' }), { ok: true, state: 'exchanged' })
  assert.equal(Number(await stockOf(database, '8101')), before)
  const back = (await showReturn(buyer.scope(), asked.id))?.replacement
  assert.ok(back)
  const { sellerOrderId, customerOrderId } = back
  const listed = await listOrders(buyer.scope(), { page: 1, filter: 'all' })
  assert.deepEqual(
    listed.orders.map((order) => [order.id, order.replaces]),
    [
      [customerOrderId, id],
      [id, null],
    ],
    'the list names the order it belongs to',
  )
  assert.ok((await database.command(seller, (scope) => acceptSale(scope, { sellerOrderId, lines: null }))).ok)
  const carrier = { name: 'Own Van', trackingNumber: `REPAIR${asked.id.slice(0, 8)}` }
  const shipped = await database.command(seller, (scope) =>
    shipLines(scope, { sellerOrderId, lines: null, carrier, idempotencyKey: asked.id }),
  )
  assert.ok(shipped.ok)
  assert.equal((await showOrder(buyer.scope(), customerOrderId))?.sellerOrders[0]?.state, 'shipped')
  await work()
  assert.equal(await provider.refundedOf(id), 0)
})

test('R-484 what buyers say about returns is read by their seller, latest first, and by nobody else', async () => {
  const rated: string[] = []
  for (const [rating, comment] of [
    [2, 'It took weeks'],
    [5, 'Write to sam@example.com'],
  ] as const) {
    const { id, buyer } = await delivered()
    const asked = await ask(buyer, id)
    assert.ok(asked.ok)
    await handle(asked.id, { do: 'receive' })
    await handle(asked.id, { do: 'inspect', finding: 'as-described' })
    await handle(asked.id, { do: 'refund' })
    const token = returnToken(asked.id)
    assert.deepEqual(await buyer.does((scope) => rateReturn(scope, token, { rating, comment })), { ok: true })
    rated.push(asked.id)
  }
  const own = await listReturnFeedback(database.scope(seller), null)
  assert.deepEqual(
    own.items.filter(({ id }) => rated.includes(id)).map(({ rating, comment }) => [rating, comment]),
    [
      [5, 'Write to […]'],
      [2, 'It took weeks'],
    ],
  )
  const [latest] = own.items
  assert.ok(
    (await listReturnFeedback(database.scope(seller), latest?.number ?? '')).items.every(({ id }) => id !== latest?.id),
    'a cursor',
  )
  const other = { principal: testSellerMember({ sellerId: 2 }) }
  assert.ok((await listReturnFeedback(database.scope(other), null)).items.every(({ id }) => !rated.includes(id)))
  assert.deepEqual((await listReturnFeedback(newBuyer(database).scope(), null)).items, [])
})

test('R-484 without pieces left nothing is exchanged, and the return stays open for a refund', async () => {
  await addOffer(database, { id: '8103', stock: 1, price: 2000 })
  const lines = [{ offerId: '8103', quantity: 1 }]
  const { id, buyer } = await delivered(lines)
  const asked = await ask(buyer, id, { lines, reason: 'defective', wish: 'replacement', photos: [await photoOf(buyer)] })
  assert.ok(asked.ok)
  for (const deed of ['accept', 'receive'] as const) await handle(asked.id, { do: deed })
  await handle(asked.id, { do: 'inspect', finding: 'as-described' })
  assert.deepEqual(await handle(asked.id, { do: 'exchange' }), { ok: false, reason: 'out-of-stock' })
  const { rows } = await database.pool.query('select 1 from orders.customer_order where replaces = $1', [`${id}-1`])
  assert.equal(rows.length, 0)
  assert.deepEqual(await handle(asked.id, { do: 'refund' }), { ok: true, state: 'refunded' })
})

test('R-135 a deduction from withdrawn goods leaves the delivery charge whole', async () => {
  const lines = [{ offerId: '8102', quantity: 1 }]
  const { id, buyer } = await delivered(lines)
  const asked = await ask(buyer, id, { lines })
  assert.ok(asked.ok)
  await handle(asked.id, { do: 'receive' })
  await handle(asked.id, { do: 'inspect', finding: 'incomplete', note: 'The blade guard is missing' })
  assert.deepEqual(await handle(asked.id, { do: 'refund', amount: 1200 }), { ok: true, state: 'refunded' })
  await work()
  assert.equal(await provider.refundedOf(id), 1200 + 490)
})

test('R-484 a defective piece with photos: the seller accepts, receives, inspects and refunds it with its share of the delivery charge', async () => {
  const { id, buyer } = await delivered()
  const defective = { reason: 'defective', wish: 'repair', description: 'The chuck is loose.' }
  assert.deepEqual(await ask(buyer, id, defective), { ok: false, reason: 'photos-missing' })
  const photo = await photoOf(buyer)
  assert.deepEqual(await ask(newBuyer(database), id, { ...defective, photos: [photo] }), { ok: false, reason: 'unknown-order' })
  const asked = await ask(buyer, id, { ...defective, photos: [photo] })
  assert.ok(asked.ok)
  assert.deepEqual(
    await ask(buyer, id, { ...defective, photos: [photo] }),
    { ok: false, reason: 'photos-gone' },
    'a photo serves one request',
  )
  assert.deepEqual(await handle(asked.id, { do: 'accept' }, { principal: testSellerMember({ sellerId: 2 }) }), {
    ok: false,
    reason: 'unknown-return',
  })
  assert.deepEqual(await handle(asked.id, { do: 'refund' }), { ok: false, reason: 'not-now' })
  assert.deepEqual(await handle(asked.id, { do: 'accept' }), { ok: true, state: 'label-sent' })
  await handle(asked.id, { do: 'receive' })
  assert.deepEqual(await handle(asked.id, { do: 'inspect', finding: 'broken' }), { ok: false, reason: 'input-invalid' })
  await handle(asked.id, { do: 'inspect', finding: 'used', note: 'Signs of heavy use' })
  assert.deepEqual(await handle(asked.id, { do: 'refund', amount: 750 }), { ok: false, reason: 'not-now' })
  assert.deepEqual(await handle(asked.id, { do: 'refund' }), { ok: true, state: 'refunded' })
  await work()
  assert.equal(await provider.refundedOf(id), 2000)
  assert.deepEqual((await mailsTo(buyer.email)).length, 3)
})

test('a seller settles a claim for faulty goods with no less than their price, before or after an inspection, unless the buyer wished a part', async () => {
  for (const wish of ['refund', 'replacement'] as const) {
    const { id, buyer } = await delivered()
    const asked = await ask(buyer, id, { reason: 'defective', wish, photos: [await photoOf(buyer)] })
    assert.ok(asked.ok)
    await handle(asked.id, { do: 'accept' })
    const refund = (amount: number) => handle(asked.id, { do: 'refund', amount, note: 'It looks used' })
    assert.deepEqual(await refund(1), { ok: false, reason: 'not-now' })
    await handle(asked.id, { do: 'receive' })
    await handle(asked.id, { do: 'inspect', finding: 'used' })
    assert.deepEqual(await refund(1999), { ok: false, reason: 'not-now' })
    assert.deepEqual(await refund(2000), { ok: true, state: 'refunded' })
    await work()
    assert.equal(await provider.refundedOf(id), 2000)
  }
})

test('R-484 goods whose claim is refused after an inspection go back to their buyer with an order of their own, which the mail and the return name', async () => {
  const { id, buyer } = await delivered()
  const asked = await ask(buyer, id, { reason: 'defective', wish: 'refund', photos: [await photoOf(buyer)] })
  assert.ok(asked.ok)
  for (const deed of ['accept', 'receive'] as const) await handle(asked.id, { do: deed })
  await handle(asked.id, { do: 'inspect', finding: 'used' })
  const stock = Number(await stockOf(database, '8101'))
  assert.deepEqual(await handle(asked.id, { do: 'refuse', note: 'Worn out' }), { ok: true, state: 'refused' })
  const shown = await showReturn(buyer.scope(), asked.id)
  assert.ok(shown?.replacement && shown.isSentBack)
  const { customerOrderId, sellerOrderId } = shown.replacement
  const mail = (await mailsTo(buyer.email)).at(-1)
  assert.match(mail?.subject ?? '', /declined/)
  assert.match(mail?.text ?? '', new RegExp(`sends them back to you as order ${customerOrderId}[^]*open a dispute[^]*Worn out`))
  assert.match(mail?.text ?? '', new RegExp(`/my-messages/conversation/${id}-1\\?access=`))
  assert.equal(Number(await stockOf(database, '8101')), stock, 'none of the seller’s own')
  const way = await showOrder(buyer.scope(), customerOrderId)
  assert.deepEqual(
    [way?.state, way?.totals.totalWithVat.amount, way?.sellerOrders.map((part) => [part.id, part.state, part.lines.length])],
    ['paid', 0, [[sellerOrderId, 'pending', 1]]],
  )
  // Also once it is closed, the pieces belong to the order that brings them.
  assert.ok((await buyer.does((scope) => stepByBuyer(scope, asked.id, 'closed'))).ok)
  assert.deepEqual(await ask(buyer, id, { lines: [{ offerId: '8101', quantity: 2 }] }), { ok: false, reason: 'nothing-to-return' })

  // The seller has lost them: the buyer is paid for them, once.
  const moves = [{ offerId: '8101', quantity: 1, from: 'pending', to: 'refused' }] as const
  await database.command({}, (scope) => moveLines(scope, { sellerOrderId, actor: 'seller', reason: 'other', moves }))
  await work()
  assert.equal(await provider.refundedOf(id), 2000)
})

for (const end of ['delivered', 'cancelled'] as const)
  test(`the seller of goods whose claim is refused after an inspection is paid once the order that brings them back is ${end}`, async () => {
    const { id, buyer } = await delivered()
    const asked = await ask(buyer, id, { reason: 'defective', photos: [await photoOf(buyer)] })
    assert.ok(asked.ok)
    for (const deed of ['accept', 'receive'] as const) await handle(asked.id, { do: deed })
    await handle(asked.id, { do: 'inspect', finding: 'used' })
    assert.ok((await handle(asked.id, { do: 'refuse', note: 'Worn out' })).ok)
    const isHeld = async () => (await findReturning(database.db, [`${id}-1`])).has(`${id}-1`)
    assert.ok(await isHeld())
    assert.ok((await buyer.does((scope) => stepByBuyer(scope, asked.id, 'closed'))).ok)
    const { rows } = await database.pool.query<{ back: string }>('select replacement_order as back from returns.request where id = $1', [
      asked.id,
    ])
    const move = async (actor: 'seller' | 'carrier', from: SellerOrderState, to: SellerOrderState) => {
      assert.ok(await isHeld(), from)
      const moves = [{ offerId: '8101', quantity: 1, from, to }]
      const cause = { sellerOrderId: `${rows[0]?.back}-1`, actor, reason: 'other' }
      assert.ok((await database.command({}, (scope) => moveLines(scope, { ...cause, moves }))).ok)
    }
    if (end === 'cancelled') await move('seller', 'pending', 'refused')
    else {
      await move('seller', 'pending', 'accepted')
      await move('seller', 'accepted', 'shipped')
      await move('carrier', 'shipped', 'delivered')
    }
    await work()
    assert.equal(await isHeld(), false)
  })

test('R-484 a claim that is inspected after everything was paid back is settled with that, and its goods need not be sent back', async () => {
  const { id, buyer } = await delivered()
  const asked = await ask(buyer, id, { reason: 'defective', photos: [await photoOf(buyer)] })
  assert.ok(asked.ok)
  for (const deed of ['accept', 'receive'] as const) await handle(asked.id, { do: deed })
  const extra = { offerId: null, amount: 6000 }
  const wish = { customerOrderId: id, sellerOrderId: `${id}-1`, cause: 'goodwill', key: `all:${id}`, extra } as const
  assert.ok(await database.command({}, (scope) => requestRefund(scope, wish)))
  await handle(asked.id, { do: 'inspect', finding: 'used' })
  assert.deepEqual(await handle(asked.id, { do: 'refund' }), { ok: true, state: 'refunded' })
  assert.equal((await showReturn(buyer.scope(), asked.id))?.replacement, null)
})

test('A6 no piece is returned twice, by parallel requests neither, and another person’s order is not found', async () => {
  const { id, buyer } = await delivered()
  const both = await Promise.all([1, 2, 3, 4].map(() => ask(buyer, id, { lines: [{ offerId: '8101', quantity: 2 }] })))
  assert.equal(both.filter(({ ok }) => ok).length, 1)
  assert.deepEqual(await ask(buyer, id, { lines: [{ offerId: '8102', quantity: 2 }] }), { ok: false, reason: 'nothing-to-return' })
  const [only] = both.flatMap((each) => (each.ok ? [each.id] : []))
  const outcomes = await Promise.all([1, 2, 3].map(() => handle(only ?? '', { do: 'refund' })))
  assert.equal(outcomes.filter(({ ok }) => ok).length, 1, 'settled once')
  await work()
  assert.equal(await provider.refundedOf(id), 4000)
  const stranger = newBuyer(database)
  assert.equal(await showReturn(stranger.scope(), only ?? ''), null)
  assert.equal(await listReturns(stranger.scope(), id), null)
  assert.equal(await showReturnOptions(stranger.scope(), id, `${id}-1`, []), null)
  assert.equal((await stranger.does((scope) => stepByBuyer(scope, only ?? '', 'closed'))).ok, false)
})

test('a part refund of several lines is spread over all of them, and pieces whose return is settled cannot be returned again', async () => {
  const { id, buyer } = await delivered()
  const both = [
    { offerId: '8101', quantity: 2 },
    { offerId: '8102', quantity: 1 },
  ]
  const asked = await ask(buyer, id, { lines: both, reason: 'missing-part', wish: 'part-refund', amount: 5000 })
  assert.ok(asked.ok)
  await handle(asked.id, { do: 'accept' })
  assert.deepEqual(await handle(asked.id, { do: 'refund' }), { ok: true, state: 'refunded' })
  await work()
  assert.equal(await provider.refundedOf(id), 5000, 'more than was paid for the first line')
  assert.equal((await buyer.does((scope) => stepByBuyer(scope, asked.id, 'closed'))).ok, true)
  assert.deepEqual(await ask(buyer, id, { lines: both }), { ok: false, reason: 'nothing-to-return' })
  assert.deepEqual(
    (await showReturnOptions(buyer.scope(), id, `${id}-1`, both))?.lines.map(({ returnable }) => returnable),
    [0, 0],
  )
})

test('R-484 a buyer who keeps goods for part of their price names the amount; a seller who accepts pays no less', async () => {
  const { id, buyer } = await delivered()
  const wish = { reason: 'missing-part', wish: 'part-refund' }
  for (const amount of [undefined, null, 0, -1, 1.5, 2001])
    assert.deepEqual(await ask(buyer, id, { ...wish, ...(amount !== undefined && { amount }) }), { ok: false, reason: 'amount-invalid' })
  const asked = await ask(buyer, id, { ...wish, amount: 1500 })
  assert.ok(asked.ok)
  const listed = (await listReturnsToHandle(database.scope(seller), null)).items.find((each) => each.id === asked.id)
  assert.equal(listed?.wishedAmount, 1500)
  const { rows } = await database.pool.query<{ text: string }>('select body_text as text from mail.mail where key = $1', [
    `return:${asked.id}:seller`,
  ])
  assert.match(rows[0]?.text ?? '', /Amount asked for: £15\.00/)
  assert.equal((await showReturn(buyer.scope(), asked.id))?.wishedAmount?.formatted, '£15.00')
  await handle(asked.id, { do: 'accept' })
  const refund = (amount: number | null) => handle(asked.id, { do: 'refund', amount, note: 'A penny' })
  assert.deepEqual(await refund(1), { ok: false, reason: 'not-now' })
  assert.deepEqual(await refund(1499), { ok: false, reason: 'not-now' })
  assert.deepEqual(await refund(null), { ok: true, state: 'refunded' })
  await work()
  assert.equal(await provider.refundedOf(id), 1500)

  const other = await ask(buyer, id, { ...wish, lines: [{ offerId: '8102', quantity: 1 }], amount: 100 })
  assert.ok(other.ok)
  await handle(other.id, { do: 'accept' })
  assert.deepEqual(await handle(other.id, { do: 'refund', amount: 300 }), { ok: true, state: 'refunded' }, 'more is welcome')
  await work()
  assert.equal(await provider.refundedOf(id), 1800)
})

test('a return’s description and the seller’s note carry no contact data past the conversation', async () => {
  const { id, buyer } = await delivered()
  const asked = await ask(buyer, id, { description: 'Call me: 07700 900123' })
  assert.ok(asked.ok)
  const request = (await listReturnsToHandle(database.scope(seller), null)).items.find((each) => each.id === asked.id)
  assert.equal(request?.description, 'Call me: […]')
  await handle(asked.id, { do: 'receive', note: 'Write to sam@example.com' })
  assert.equal((await showReturn(buyer.scope(), asked.id))?.decisionNote, 'Write to […]')
})

const at = (days: number) => new Date(Date.now() + days * 86_400_000)
const chase = (days: number) => database.command({ now: at(days) }, lapseReturns)
const stateOf = async (buyer: Buyer, id: string) => (await showReturn(buyer.scope(), id))?.state

test('R-484 goods that are not sent back: the buyer is reminded after fourteen days, a week later the return lapses and the seller is paid', async () => {
  const { id, buyer } = await delivered()
  const asked = await ask(buyer, id)
  assert.ok(asked.ok)
  const subjects = async () => (await mailsTo(buyer.email)).map(({ subject }) => subject)
  await chase(13.9)
  assert.equal((await subjects()).length, 1)
  for (let again = 0; again < 2; again++) await chase(14.1)
  assert.match((await subjects()).slice(1).join(), /^Please send back the goods of return \d+$/)
  await chase(20.9)
  assert.equal(await stateOf(buyer, asked.id), 'label-sent')
  assert.ok((await findReturning(database.db, [`${id}-1`])).has(`${id}-1`))
  await chase(21.2)
  assert.equal(await stateOf(buyer, asked.id), 'lapsed')
  assert.match((await subjects()).slice(2).join(), /^Your return \d+ has lapsed$/)
  assert.equal((await findReturning(database.db, [`${id}-1`])).size, 0)

  // The goods arrive late after all.
  assert.deepEqual(await handle(asked.id, { do: 'refund' }), { ok: false, reason: 'not-now' })
  assert.deepEqual(await handle(asked.id, { do: 'receive' }), { ok: true, state: 'received' })
  await handle(asked.id, { do: 'inspect', finding: 'as-described' })
  assert.deepEqual(await handle(asked.id, { do: 'refund' }), { ok: true, state: 'refunded' })
  await work()
  assert.equal(await provider.refundedOf(id), 2000)
})

test('the pieces of a lapsed return can be returned again, and are then not received for the lapsed one as well', async () => {
  const { id, buyer } = await delivered()
  const lines = [{ offerId: '8101', quantity: 2 }]
  const asked = await ask(buyer, id, { lines })
  assert.ok(asked.ok)
  await chase(14.1)
  await chase(21.2)
  const again = await ask(buyer, id, { lines, reason: 'missing-part', wish: 'refund' })
  assert.ok(again.ok)
  assert.deepEqual(await handle(asked.id, { do: 'receive' }), { ok: false, reason: 'not-now' })
})

test('a return does not lapse while its goods are on their way to the buyer, nor once they are on their way back', async () => {
  const buyer = newBuyer(database)
  const id = await provider.paidOrder(buyer, drillsAndSaw)
  for (const [actor, from, to] of [
    ['seller', 'pending', 'accepted'],
    ['seller', 'accepted', 'shipped'],
  ] as const) {
    const moves = drillsAndSaw.map((line) => ({ ...line, from, to }))
    await database.command({}, (scope) => moveLines(scope, { sellerOrderId: `${id}-1`, actor, reason: 'test', moves }))
  }
  const early = await ask(buyer, id)
  const arrived = await delivered()
  const sent = await ask(arrived.buyer, arrived.id)
  assert.ok(early.ok && sent.ok)
  await chase(14.1)
  await arrived.buyer.does((scope) => stepByBuyer(scope, sent.id, 'in-transit'))
  await chase(21.2)
  assert.equal(await stateOf(buyer, early.id), 'label-sent')
  assert.equal((await mailsTo(buyer.email)).length, 1)
  assert.equal(await stateOf(arrived.buyer, sent.id), 'in-transit')
})

/** The reminders of that day, and the jobs that are due by then. Returns what the seller is told of an order. */
async function awaitGoods(days: number, sellerOrderId: string): Promise<string[]> {
  await database.command({ now: at(days) }, remindOfAwaited)
  const due = await database.pool.query<{ payload: AwaitedJob }>(
    `delete from platform.job where name = 'returns.end-awaited' and run_at <= $1 returning payload`,
    [at(days)],
  )
  for (const { payload } of due.rows) await database.command({ now: at(days) }, (scope) => endAwaited(scope, payload))
  await work()
  const { rows } = await database.pool.query<{ text: string }>(
    `select body_text as text from mail.mail where template = 'return-awaited' and body_text like $1 order by id`,
    [`%${sellerOrderId}%`],
  )
  return rows.map(({ text }) => text)
}
test('a seller finds a lapsed return among the unfinished ones for sixty days, as its goods may still arrive', async () => {
  const { id, buyer } = await delivered()
  const asked = await ask(buyer, id)
  assert.ok(asked.ok)
  await chase(14.1)
  await chase(21.2)
  const listed = async (days: number) =>
    (await listReturnsToHandle(database.scope({ ...seller, now: at(days) }), null)).items.find((each) => each.id === asked.id)?.state
  assert.deepEqual([await listed(1), await listed(59.9), await listed(60.1)], ['lapsed', 'lapsed', undefined])
})

const handOver = async (buyer: Buyer, id: string) => assert.ok((await buyer.does((scope) => stepByBuyer(scope, id, 'in-transit'))).ok)
const carrierReports = async (id: string, kinds: string[]) => {
  await writeLabel(database.db, id, { labelFile: `label/${id}`, trackingNumber: `PP${id}`, round: 0 })
  const events = kinds.map((kind, hour) => ({ kind, at: new Date(Date.now() + hour * 3_600_000).toISOString() }))
  await database.command({}, (scope) => followReturnParcel(scope, { trackingNumber: `PP${id}`, events }))
}

test('R-484 goods that only their buyer says to be on their way: seller and buyer are written to after a week, and two weeks later the return lapses', async () => {
  const { id, buyer } = await delivered()
  const asked = await ask(buyer, id)
  assert.ok(asked.ok)
  await handOver(buyer, asked.id)
  assert.equal((await awaitGoods(6.9, id)).length, 0)
  for (const days of [7.1, 20.9]) {
    const [told, ...more] = await awaitGoods(days, id)
    assert.match(told ?? '', /handed over the goods of return 5\d+[^]*lapses on/)
    assert.equal(more.length, 0)
    assert.equal(await stateOf(buyer, asked.id), 'in-transit')
  }
  const question = (await mailsTo(buyer.email)).at(-1)
  assert.match(question?.subject ?? '', /have not arrived yet/)
  assert.match(question?.text ?? '', new RegExp(`keep the receipt[^]*/my-messages/conversation/${id}-1\\?access=`))
  assert.ok((await findReturning(database.db, [`${id}-1`])).has(`${id}-1`))
  await awaitGoods(21.1, id)
  assert.equal(await stateOf(buyer, asked.id), 'lapsed')
  assert.match((await mailsTo(buyer.email)).at(-1)?.text ?? '', /no carrier has reported them[^]*open a dispute/)
  assert.equal((await findReturning(database.db, [`${id}-1`])).size, 0, 'the seller is paid')
  assert.equal(await provider.refundedOf(id), 0)

  assert.deepEqual(await handle(asked.id, { do: 'receive' }), { ok: true, state: 'received' }, 'they arrive after all')
})

test('goods that an earlier release let their buyer hand over after a reminder are awaited like any other', async () => {
  const { id, buyer } = await delivered()
  const asked = await ask(buyer, id)
  assert.ok(asked.ok)
  await handOver(buyer, asked.id)
  await database.pool.query(`update returns.request set reminded_at = updated_at - interval '1 day' where id = $1`, [asked.id])
  for (const days of [7.1, 7.2]) assert.equal((await awaitGoods(days, id)).length, 1)
})

for (const [first, sayers] of [
  ['the carrier', ['carrier']],
  ['their buyer', ['buyer', 'carrier']],
] as const)
  test(`R-484 goods that a carrier has are refunded after two weeks though their seller does not receive them; first reported by ${first}`, async () => {
    const { id, buyer } = await delivered()
    const asked = await ask(buyer, id)
    assert.ok(asked.ok)
    for (const sayer of sayers)
      await (sayer === 'buyer' ? handOver(buyer, asked.id) : carrierReports(asked.id, ['registered', 'collected']))
    await carrierReports(asked.id, ['registered', 'collected', 'in-transit'])
    const [told] = await awaitGoods(7.1, id)
    assert.match(told ?? '', /carrier took over the goods of return 5\d+[^]*will be refunded on/)
    await awaitGoods(13.9, id)
    assert.equal(await stateOf(buyer, asked.id), 'in-transit')
    assert.match((await awaitGoods(14.1, id)).at(-1) ?? '', /The buyer has therefore been refunded/)
    assert.equal(await stateOf(buyer, asked.id), 'refunded')
    assert.equal(await provider.refundedOf(id), 2000)
    assert.match((await mailsTo(buyer.email)).at(-1)?.text ?? '', /has not reported that they arrived[^]*your money is on its way/)
    assert.equal((await findReturning(database.db, [`${id}-1`])).size, 0)
    assert.deepEqual(await handle(asked.id, { do: 'receive' }), { ok: false, reason: 'not-now' })
  })

test('R-484 a report of the carrier in the second week begins the time anew', async () => {
  const { id, buyer } = await delivered()
  const asked = await ask(buyer, id)
  assert.ok(asked.ok)
  await handOver(buyer, asked.id)
  await awaitGoods(7.1, id)
  await carrierReports(asked.id, ['collected'])
  await awaitGoods(13, id)
  await awaitGoods(19.9, id)
  assert.equal(await stateOf(buyer, asked.id), 'in-transit')
  await awaitGoods(20.1, id)
  assert.equal(await stateOf(buyer, asked.id), 'refunded')
})

test('a seller with more than a hundred unfinished returns reads all of them, page by page, oldest first', async () => {
  const { id, buyer } = await delivered()
  assert.ok((await ask(buyer, id)).ok)
  await database.pool.query(
    `insert into returns.request (id, number, customer_order_id, seller_order_id, seller_id, market, reason, basis, wish, method, state, lines, token_hash)
      select gen_random_uuid(), 900000 + n, $1, $1 || '-7', 7, 'gb', 'changed-mind', 'withdrawal', 'refund', 'label', 'label-sent', '[]',
        decode(md5(n::text), 'hex') from generate_series(1, 201) n`,
    [id],
  )
  const scope = database.scope({ principal: testSellerMember({ sellerId: 7 }) })
  const pages = []
  for (let after: string | null = null; pages.length < 4;) {
    const page = await listReturnsToHandle(scope, after)
    pages.push(page.items.map(({ number }) => Number(number)))
    after = page.next
    if (after === null) break
  }
  assert.deepEqual(
    pages.map((page) => page.length),
    [100, 100, 1],
  )
  assert.deepEqual(
    pages.flat(),
    Array.from({ length: 201 }, (_, at) => 900_001 + at),
  )
})

test('a return that the buyer gave up leaves its pieces returnable', async () => {
  const { id, buyer } = await delivered()
  const asked = await ask(buyer, id)
  assert.ok(asked.ok)
  assert.equal((await buyer.does((scope) => stepByBuyer(scope, asked.id, 'closed'))).ok, true)
  assert.equal((await ask(buyer, id, { lines: [{ offerId: '8101', quantity: 2 }] })).ok, true)
})

const consumer: ReturnCase = {
  market: 'gb',
  buyer: 'consumer',
  daysSinceDelivery: 0,
  withdrawalDaysLeft: 14,
  businessReturnDays: null,
  isCollected: false,
}
const business = { ...consumer, buyer: 'business' } as const

test('R-135 consumers may withdraw for fourteen days after delivery and before it, in every market; businesses as the platform allows', () => {
  for (const market of marketCodes) {
    const left = (days: number | null) => offeredReturn('changed-mind', { ...consumer, market, withdrawalDaysLeft: days })
    assert.deepEqual([left(null)?.basis, left(14)?.daysLeft, left(0)?.daysLeft, left(-1)], ['withdrawal', 14, 0, null], market)
    assert.equal(left(3)?.delivery, 'standard')
    const pro = (days: number | null, allowed: number | null) =>
      offeredReturn('changed-mind', { ...business, market, daysSinceDelivery: days, businessReturnDays: allowed })?.basis
    assert.deepEqual(
      [pro(3, null), pro(3, 30), pro(30, 30), pro(31, 30), pro(null, 30)],
      [undefined, 'policy', 'policy', undefined, undefined],
    )
  }
})

test('the withdrawal period ends with its fourteenth day, or with the next working day if that is a weekend or a holiday of the market', () => {
  const left = (market: 'gb' | 'de' | 'es', arrived: string, now: string) => withdrawalDaysLeft(market, new Date(arrived), new Date(now))
  // A Monday and a Saturday two weeks before.
  assert.equal(left('gb', '2026-11-02T10:00:00Z', '2026-11-02T18:00:00Z'), 14)
  assert.equal(left('gb', '2026-11-02T10:00:00Z', '2026-11-16T23:30:00Z'), 0)
  assert.equal(left('gb', '2026-11-02T10:00:00Z', '2026-11-17T00:30:00Z'), -1)
  assert.equal(left('gb', '2026-11-07T10:00:00Z', '2026-11-23T23:30:00Z'), 0)
  assert.equal(left('gb', '2026-11-07T10:00:00Z', '2026-11-24T00:30:00Z'), -1)
  // The fourteenth day is Christmas, a Friday; Saint Stephen's day falls on a weekend, for which gb has the Monday.
  assert.equal(left('de', '2026-12-11T10:00:00Z', '2026-12-28T12:00:00Z'), 0)
  assert.equal(left('gb', '2026-12-11T10:00:00Z', '2026-12-29T12:00:00Z'), 0)
  // The day of the market, not of Greenwich: 23:30 there is the next day in Spain.
  assert.equal(left('es', '2026-11-02T23:30:00Z', '2026-11-17T12:00:00Z'), 0)
})

test('a lost parcel does not begin the withdrawal period, and neither does the first parcel while others of the seller are still to be sent', async () => {
  const ago = async (id: string) => {
    await database.pool.query(`update orders.customer_order set placed_at = now() - interval '30 days' where id = $1`, [id])
    await database.pool.query(`update orders.line_move set at = now() - interval '30 days' where seller_order_id = $1`, [`${id}-1`])
  }
  const [drills, saw] = drillsAndSaw
  const move = (id: string, actor: 'seller' | 'carrier', from: SellerOrderState, to: SellerOrderState, lines: typeof drillsAndSaw) =>
    database.command({}, (scope) =>
      moveLines(scope, { sellerOrderId: `${id}-1`, actor, reason: 'carrier-lost', moves: lines.map((line) => ({ ...line, from, to })) }),
    )
  assert.ok(drills && saw)
  const buyer = newBuyer(database)
  const withdrawable = async (id: string) =>
    (await showReturnOptions(buyer.scope(), id, `${id}-1`, []))?.reasons.find(({ isWithdrawal }) => isWithdrawal)?.daysLeft

  const lost = await provider.paidOrder(buyer, drillsAndSaw)
  await move(lost, 'seller', 'pending', 'accepted', drillsAndSaw)
  await move(lost, 'seller', 'accepted', 'shipped', drillsAndSaw)
  await move(lost, 'carrier', 'shipped', 'incident-open', drillsAndSaw)
  await ago(lost)
  assert.equal(await withdrawable(lost), null)
  assert.ok((await ask(buyer, lost)).ok)

  const split = await provider.paidOrder(buyer, drillsAndSaw)
  await move(split, 'seller', 'pending', 'accepted', drillsAndSaw)
  await move(split, 'seller', 'accepted', 'shipped', [drills])
  await move(split, 'carrier', 'shipped', 'delivered', [drills])
  await ago(split)
  assert.equal(await withdrawable(split), null)
  await move(split, 'seller', 'accepted', 'shipped', [saw])
  await move(split, 'carrier', 'shipped', 'delivered', [saw])
  assert.ok(((await withdrawable(split)) ?? 0) >= 14, 'counted from the last goods')
  await ago(split)
  assert.equal(await withdrawable(split), undefined)
})

test('the legal guarantee lasts two years in the EU, three in Spain, six in the UK; a free choice of remedy thirty days', () => {
  const last = { gb: 2190, fr: 730, de: 730, es: 1095, it: 730 }
  for (const market of marketCodes) {
    for (const reason of ['wrong', 'damaged', 'defective', 'missing-part'] as const) {
      const at = (days: number | null) => offeredReturn(reason, { ...consumer, market, daysSinceDelivery: days })
      assert.deepEqual([at(last[market])?.daysLeft, at(last[market] + 1), at(null)], [0, null, null], `${market} ${reason}`)
      assert.equal(at(1)?.needsPhotos, reason !== 'missing-part')
    }
    const remedies = (days: number) => offeredReturn('defective', { ...consumer, market, daysSinceDelivery: days })?.wishes
    assert.deepEqual(remedies(30), ['refund', 'replacement', 'repair', 'part-refund'])
    assert.deepEqual(remedies(31), ['repair', 'replacement', 'part-refund'])
  }
  const pro = (reason: 'damaged' | 'wrong' | 'defective', days: number) =>
    offeredReturn(reason, { ...business, daysSinceDelivery: days }) !== null
  assert.deepEqual(
    [pro('damaged', 8), pro('damaged', 9), pro('wrong', 31), pro('defective', 365), pro('defective', 366)],
    [true, false, false, true, false],
  )
})

test('R-484 I6 every state of a return can be reached and has a way out, over any sequence of moves', () => {
  const reached = new Set<ReturnState>(['requested'])
  fc.assert(
    fc.property(
      fc.array(fc.record({ to: fc.constantFrom(...returnStates), actor: fc.constantFrom('buyer', 'seller', 'system') }), { maxLength: 40 }),
      (moves) => {
        let state: ReturnState = 'requested'
        for (const { to, actor } of moves) if (canReturnStep(state, to, actor)) reached.add((state = to))
        assert.ok(state === 'closed' || returnSteps.some(({ from }) => from === state), state)
      },
    ),
    { numRuns: 100_000 },
  )
  assert.deepEqual([...reached].toSorted(), [...returnStates].toSorted())
  assert.ok(returnReasons.length === 5)
})

test('I1 I2 the invariants hold after all of this', async () => {
  assert.deepEqual(await checkInvariants({ query: (text, values) => database.pool.query(text, values) }, { settled: false }), [])
})
