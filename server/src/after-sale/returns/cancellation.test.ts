import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testSellerMember } from '@purlin/contract/testing.ts'
import { checkInvariants } from '../../../../e2e/invariants.ts'
import { moveLines, readOrder, type LineMove } from '#orders'
import { readRefundsOf } from '#refunds'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import * as checkoutJobs from '../../selling/checkout/jobs.ts'
import { addOffer, fillShop, newBuyer, stockOf, type Buyer } from '../../selling/checkout/testing.ts'
import * as paymentJobs from '../../selling/payments/jobs.ts'
import * as refundJobs from '../../selling/refunds/jobs.ts'
import { testProvider } from '../../selling/refunds/testing.ts'
import { planCancellation } from './cancellation.ts'
import { cancelLines } from './cancel-lines.ts'
import { decideCancellation } from './decide-cancellation.ts'
import { handlers } from './jobs.ts'
import { listCancellationRequests, showCancellation } from './show-cancellation.ts'

const database = await testDatabase()
await fillShop(database)
for (const id of ['8001', '8002', '8003']) await addOffer(database, { id, stock: 1000, price: 1000 })
const work = () =>
  runWork(database, [...paymentJobs.handlers, ...refundJobs.handlers, ...handlers], [...checkoutJobs.jobs, ...paymentJobs.jobs])
const gateway = await testGateway(database.pool)
const provider = await testProvider(database, gateway.url, work)
after(() => provider.close())

const bought = [
  { offerId: '8001', quantity: 2 },
  { offerId: '8002', quantity: 2 },
  { offerId: '8003', quantity: 1 },
]
/** Five pieces at £10 and £4.90 delivery; free from £50, so £50 in all. */
async function paid(): Promise<{ id: string; part: string; buyer: Buyer }> {
  const buyer = newBuyer(database)
  const id = await provider.paidOrder(buyer, bought)
  return { id, part: `${id}-1`, buyer }
}
const seller = { principal: testSellerMember({ sellerId: 1 }) }
const bySeller = (sellerOrderId: string, ...moves: LineMove[]) =>
  database.command({}, (scope) => moveLines(scope, { sellerOrderId, actor: 'seller', reason: 'test', moves }))
const move = (offerId: string, quantity: number, from: LineMove['from'], to: LineMove['to']): LineMove => ({ offerId, quantity, from, to })
const cancel = (buyer: Buyer, id: string, ...lines: { offerId: string; quantity: number }[]) =>
  buyer.does((scope) => cancelLines(scope, { customerOrderId: id, sellerOrderId: `${id}-1`, lines, reason: 'changed-mind' }))
const mails = (template: string) =>
  database.db.rows<{ recipient: string; subject: string }>(
    { name: 'test.mails-of', text: 'select recipient, subject from mail.mail where template = $1 order by id' },
    [template],
  )

test('R-132 R-230 one of three lines is cancelled at once: the summary says what comes back, stock returns and the card is refunded', async () => {
  const { id, part, buyer } = await paid()
  const wanted = [{ offerId: '8002', quantity: 2 }]
  const before = await stockOf(database, '8002')
  const plan = await showCancellation(buyer.scope(), id, part, wanted)
  assert.deepEqual([plan?.refundNow.amount, plan?.refundOnRequest.amount], [2000, 0])
  assert.deepEqual(await cancel(buyer, id, ...wanted), { ok: true, now: 2, asked: 0 })
  await work()
  assert.equal(await provider.refundedOf(id), 2000)
  assert.equal(await stockOf(database, '8002'), before + 2)
  assert.equal((await readOrder(database.db, id))?.state, 'paid', 'the other lines are still to come')
  assert.deepEqual(await cancel(buyer, id, ...wanted), { ok: false, reason: 'nothing-to-cancel' })
  await cancel(buyer, id, { offerId: '8001', quantity: 2 }, { offerId: '8003', quantity: 1 })
  await work()
  assert.equal(await provider.refundedOf(id), 5000)
  assert.equal((await readOrder(database.db, id))?.state, 'refunded')
})

test('accepted pieces are cancelled only if the seller agrees, and another seller cannot', async () => {
  const { id, part, buyer } = await paid()
  await bySeller(part, move('8001', 2, 'pending', 'accepted'))
  assert.deepEqual(await cancel(buyer, id, { offerId: '8001', quantity: 1 }, { offerId: '8003', quantity: 1 }), {
    ok: true,
    now: 1,
    asked: 1,
  })
  assert.deepEqual(
    await cancel(buyer, id, { offerId: '8001', quantity: 2 }),
    { ok: true, now: 0, asked: 1 },
    'one of the two is asked about already',
  )
  const [first, second] = (await listCancellationRequests(database.scope(seller))).filter(({ sellerOrderId }) => sellerOrderId === part)
  assert.ok(first && second)
  const decide = (who: object, requestId: string, grant: boolean) =>
    database.command(who, (scope) => decideCancellation(scope, requestId, grant, 'Cut to size already'))
  const stranger = { principal: testSellerMember({ sellerId: 2 }) }
  assert.deepEqual(await decide(stranger, first.id, true), { ok: false, reason: 'unknown-request' })
  assert.deepEqual(await decide(buyer.overrides, first.id, true), { ok: false, reason: 'unknown-request' })
  assert.deepEqual(await decide(seller, first.id, true), { ok: true, state: 'granted' })
  assert.deepEqual(await decide(seller, first.id, true), { ok: false, reason: 'already-decided' })
  assert.deepEqual(await decide(seller, second.id, false), { ok: true, state: 'refused' })
  await work()
  assert.equal(await provider.refundedOf(id), 2000)
  const told = (await mails('cancellation-decision')).filter(({ recipient }) => recipient === buyer.email)
  assert.deepEqual(told.map(({ subject }) => subject.split(' (')[0]).toSorted(), [
    'Your cancellation was declined',
    'Your items have been cancelled',
  ])
})

test('a refusal by the seller and pieces sent before the answer are settled too', async () => {
  const { id, part, buyer } = await paid()
  await bySeller(part, move('8001', 2, 'pending', 'accepted'), move('8002', 2, 'pending', 'refused'))
  await cancel(buyer, id, { offerId: '8001', quantity: 2 })
  await bySeller(part, move('8001', 2, 'accepted', 'shipped'))
  await work()
  assert.equal(await provider.refundedOf(id), 2000, 'refused pieces are refunded, shipped ones are not')
  const plan = await showCancellation(buyer.scope(), id, part, [])
  assert.equal(plan?.requests[0]?.stateLabel, 'already on its way')
})

test('R-131 a seller who ships and a buyer who cancels at the same moment: each piece goes one way, never both', async () => {
  for (let round = 0; round < 6; round++) {
    const { id, part, buyer } = await paid()
    await Promise.all([
      bySeller(part, move('8001', 2, 'pending', 'accepted')).then(() => bySeller(part, move('8001', 2, 'accepted', 'shipped'))),
      cancel(buyer, id, { offerId: '8001', quantity: 2 }),
      cancel(buyer, id, { offerId: '8001', quantity: 1 }),
    ])
    await work()
    const refunded = await provider.refundedOf(id)
    const [order] = [await readOrder(database.db, id)]
    const shipped = order?.state === 'part-shipped' ? 2 : 0
    assert.equal(refunded + shipped * 1000, shipped === 2 ? 2000 : 1000 * Math.round(refunded / 1000))
    assert.ok(refunded <= 2000)
    assert.equal(
      (await readRefundsOf(database.db, id)).reduce((all, { amount }) => all + amount, 0),
      refunded,
    )
  }
})

test('A2 A6 another person’s order cannot be cancelled, nor pieces that were not bought', async () => {
  const { id, part, buyer } = await paid()
  const stranger = newBuyer(database)
  assert.deepEqual(await cancel(stranger, id, { offerId: '8001', quantity: 1 }), { ok: false, reason: 'unknown-order' })
  assert.equal(await showCancellation(stranger.scope(), id, part, []), null)
  const other = await paid()
  const mixed = buyer.does((scope) =>
    cancelLines(scope, { customerOrderId: id, sellerOrderId: other.part, lines: [{ offerId: '8001', quantity: 1 }], reason: 'other' }),
  )
  assert.deepEqual(await mixed, { ok: false, reason: 'unknown-order' })
  assert.deepEqual(await cancel(buyer, id, { offerId: '9999', quantity: 1 }), { ok: false, reason: 'nothing-to-cancel' })
  for (const quantity of [-1, 0, 1.5, Number.NaN])
    assert.deepEqual(await cancel(buyer, id, { offerId: '8001', quantity }), { ok: false, reason: 'input-invalid' })
  assert.deepEqual(await cancel(buyer, id, { offerId: '8001', quantity: 999 }), { ok: true, now: 2, asked: 0 }, 'at most what was bought')
})

test('what becomes of a wish to cancel depends on where the pieces are', () => {
  const lines = [{ offerId: 'a', quantities: { pending: 2, accepted: 1, preparing: 1, shipped: 3 } }]
  const plan = (quantity: number, asked = 0) =>
    planCancellation(lines, [{ offerId: 'a', quantity }], asked > 0 ? [{ offerId: 'a', now: 0, asked }] : [])
  assert.deepEqual(plan(1), [{ offerId: 'a', now: 1, asked: 0 }])
  assert.deepEqual(plan(3), [{ offerId: 'a', now: 2, asked: 1 }])
  assert.deepEqual(plan(99), [{ offerId: 'a', now: 2, asked: 2 }])
  assert.deepEqual(plan(99, 2), [{ offerId: 'a', now: 2, asked: 0 }])
  assert.deepEqual(planCancellation([{ offerId: 'a', quantities: { shipped: 1 } }], [{ offerId: 'a', quantity: 1 }], []), [])
})

test('I1 I2 the invariants hold after all of this', async () => {
  assert.deepEqual(await checkInvariants({ query: (text, values) => database.pool.query(text, values) }, { settled: false }), [])
})
