import assert from 'node:assert/strict'
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
import { addOffer, fillShop, newBuyer, type Buyer } from '../../selling/checkout/testing.ts'
import * as paymentJobs from '../../selling/payments/jobs.ts'
import * as refundJobs from '../../selling/refunds/jobs.ts'
import { testProvider } from '../../selling/refunds/testing.ts'
import { endIncidentAsOperator, endRefundedIncident, endUnclaimed } from '../disputes/end-unclaimed.ts'
import { handleReturn, stepByBuyer, type ReturnDeed } from './handle-return.ts'
import { handlers } from './jobs.ts'
import { requestReturn, type RequestReturn } from './request-return.ts'
import { showReturn } from './show-return.ts'

/** A return of two pieces of which the carrier has lost one: what the buyer gets for it, they get once. */

const database = await testDatabase()
await fillShop(database)
await addOffer(database, { id: '8501', stock: 1000, price: 2000 })
const work = () =>
  runWork(database, [...paymentJobs.handlers, ...refundJobs.handlers, ...handlers], [...checkoutJobs.jobs, ...paymentJobs.jobs])
const gateway = await testGateway(database.pool)
const provider = await testProvider(database, gateway.url, work)
after(() => provider.close())

const pieces = (quantity: number) => [{ offerId: '8501', quantity }]
const asSeller = { principal: testSellerMember({ sellerId: 1 }) }
const piecesOf = async (orderId: string) => (await quantityStates(database.db, [`${orderId}-1`]))[0]?.quantities

async function move(
  orderId: string,
  actor: 'seller' | 'carrier',
  [from, to]: [LineMove['from'], LineMove['to']],
  quantity: number,
  reason = 'test',
) {
  const moves = pieces(quantity).map((piece) => ({ ...piece, from, to }))
  assert.ok((await database.command({}, (scope) => moveLines(scope, { sellerOrderId: `${orderId}-1`, actor, reason, moves }))).ok)
  await work()
}
/** An order of a line whose pieces are sent, of which so many have arrived. */
async function sent(buyer: Buyer, quantity: number, arrived: number): Promise<string> {
  const id = await provider.paidOrder(buyer, pieces(quantity))
  await move(id, 'seller', ['pending', 'accepted'], quantity)
  await move(id, 'seller', ['accepted', 'shipped'], quantity)
  if (arrived > 0) await move(id, 'carrier', ['shipped', 'delivered'], arrived)
  return id
}
const lose = (id: string, reason = 'carrier-lost') => move(id, 'carrier', ['shipped', 'incident-open'], 1, reason)

async function photoOf(buyer: Buyer): Promise<string> {
  const photo = newId()
  await insertUpload(database.db, { id: photo, owner: ownerOf(buyer.scope()) ?? '', bytes: 100 })
  await settleUpload(database.db, photo, { key: `upload/${photo}`, name: 'crack.jpg', bytes: 100 })
  return photo
}
async function ask(buyer: Buyer, id: string, quantity: number, wish: Partial<RequestReturn>) {
  const common = { customerOrderId: id, sellerOrderId: `${id}-1`, lines: pieces(quantity), method: 'label', description: '' } as const
  return buyer.does((scope) => requestReturn(scope, { ...common, reason: 'changed-mind', wish: 'refund', photos: [], ...wish }))
}
async function asked(buyer: Buyer, id: string, quantity: number, wish: Partial<RequestReturn>): Promise<string> {
  const made = await ask(buyer, id, quantity, wish)
  return made.ok ? made.id : assert.fail(made.reason)
}
/** A claim about broken goods. */
const claimed = async (buyer: Buyer, id: string, quantity: number, wish: RequestReturn['wish'], more: Partial<RequestReturn> = {}) =>
  asked(buyer, id, quantity, { reason: 'defective', wish, photos: [await photoOf(buyer)], ...more })
const handle = (id: string, deed: Partial<ReturnDeed> & Pick<ReturnDeed, 'do'>) =>
  database.command(asSeller, (scope) => handleReturn(scope, id, { finding: '', amount: null, note: null, ...deed }))
async function handled(id: string, ...deeds: Parameters<typeof handle>[1][]): Promise<void> {
  for (const deed of deeds) assert.ok((await handle(id, deed)).ok, deed.do)
  await work()
}
async function endAfter(orderId: string, days: number): Promise<void> {
  const now = new Date(Date.now() + days * 86_400_000)
  await database.command({ now }, (scope) => endUnclaimed(scope, { customerOrderId: orderId, sellerOrderId: `${orderId}-1` }))
  await work()
}
/** The operator pays missing pieces back. */
async function payIncident(orderId: string) {
  const ended = await database.command({}, (scope) => endIncidentAsOperator(scope, `${orderId}-1`, 'refund'))
  await work()
  return ended
}
const broughtBy = async (buyer: Buyer, returnId: string) => {
  const order = (await showReturn(buyer.scope(), returnId))?.replacement?.customerOrderId
  return order === undefined ? 0 : (await piecesOf(order))?.pending
}
const inspected = [{ do: 'accept' }, { do: 'receive' }, { do: 'inspect', finding: 'as-described' }] as const
const refusal = { do: 'refuse', note: 'Not broken' } as const
const price = 2000
const share = 245

test('R-482 a lost piece whose price went back with a return of worn goods is not paid again: what the seller deducted stays deducted', async () => {
  const buyer = newBuyer(database)
  const id = await sent(buyer, 2, 1)
  await lose(id)
  const returned = await asked(buyer, id, 2, {})
  await handled(returned, { do: 'receive' }, { do: 'inspect', finding: 'used' }, { do: 'refund', amount: 2500, note: 'Scratched' })
  await database.command({}, (scope) => endRefundedIncident(scope, { customerOrderId: id, sellerOrderId: `${id}-1` }))
  const paid = await provider.refundedOf(id)
  assert.equal(paid, 2500 + 2 * share, 'with the delivery charge')
  await endAfter(id, 15)
  assert.deepEqual([await provider.refundedOf(id), await piecesOf(id)], [paid, { delivered: 1, closed: 1 }])
})

test('R-482 the incident of a lost piece ends before its return is refunded with a deduction, or after, but not meanwhile', async () => {
  const buyer = newBuyer(database)
  const id = await sent(buyer, 2, 1)
  await lose(id)
  const returned = await asked(buyer, id, 2, {})
  await handled(returned, { do: 'receive' }, { do: 'inspect', finding: 'used' })
  const [isRefunded, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const refunding = database.command(asSeller, async (scope) => {
    const done = await handleReturn(scope, returned, { do: 'refund', finding: '', amount: 2500, note: 'Scratched' })
    isRefunded.resolve()
    await mayCommit.promise
    return done
  })
  await isRefunded.promise
  const ending = endAfter(id, 15)
  setTimeout(mayCommit.resolve, 150)
  await Promise.all([refunding, ending])
  await work()
  assert.equal(await provider.refundedOf(id), 2500 + 2 * share)
})

test('nothing is wrong with goods that were lost or have come back: they are withdrawn from, not claimed', async () => {
  for (const reason of ['carrier-lost', 'returned-to-sender']) {
    const buyer = newBuyer(database)
    const id = await sent(buyer, 2, 1)
    await lose(id, reason)
    const claim = { reason: 'defective', wish: 'replacement', photos: [await photoOf(buyer)] } as const
    assert.deepEqual(await ask(buyer, id, 2, claim), { ok: false, reason: 'nothing-to-return' })
    assert.ok((await ask(buyer, id, 1, {})).ok)
    assert.ok((await ask(buyer, id, 1, { ...claim, photos: [await photoOf(buyer)] })).ok, 'the other one has arrived')
    assert.deepEqual(await ask(buyer, id, 1, { ...claim, photos: [await photoOf(buyer)] }), { ok: false, reason: 'nothing-to-return' })
  }
})

test('R-482 a piece that nobody has seen arrive, and that a claim has replaced, is not paid back as well', async () => {
  const buyer = newBuyer(database)
  const id = await sent(buyer, 2, 1)
  await lose(id, 'not-arrived')
  const returned = await claimed(buyer, id, 2, 'replacement')
  await handled(returned, ...inspected, { do: 'exchange' })
  assert.equal(await broughtBy(buyer, returned), 2)
  assert.ok((await payIncident(id)).ok)
  assert.deepEqual([await provider.refundedOf(id), await piecesOf(id)], [0, { delivered: 1, closed: 1 }])
})

test('R-482 a piece that was paid back while its claim was open is not replaced as well', async () => {
  const buyer = newBuyer(database)
  const id = await sent(buyer, 2, 1)
  await lose(id, 'not-arrived')
  const returned = await claimed(buyer, id, 2, 'replacement')
  assert.ok((await payIncident(id)).ok)
  assert.equal(await provider.refundedOf(id), price + share, 'with its share of the delivery charge')
  await handled(returned, ...inspected, { do: 'exchange' })
  assert.equal(await broughtBy(buyer, returned), 1)
})

test('R-482 of two claims about a line whose missing piece was paid back, no more is replaced and paid than is left', async () => {
  const buyer = newBuyer(database)
  const id = await sent(buyer, 3, 2)
  await lose(id, 'not-arrived')
  const claims = [await claimed(buyer, id, 2, 'replacement'), await claimed(buyer, id, 1, 'replacement')] as const
  for (const each of claims) await handled(each, ...inspected)
  assert.ok((await payIncident(id)).ok)
  const paid = await provider.refundedOf(id)
  await handled(claims[0], { do: 'exchange' })
  assert.equal(await broughtBy(buyer, claims[0]), 2)
  assert.deepEqual(await handle(claims[1], { do: 'exchange' }), { ok: false, reason: 'nothing-left' })
  await handled(claims[1], { do: 'refund' })
  assert.equal(await provider.refundedOf(id), paid)
})

test('R-482 what one claim has refunded, and the operator has paid for the missing piece, is not replaced by another claim', async () => {
  const buyer = newBuyer(database)
  const id = await sent(buyer, 2, 1)
  await lose(id, 'not-arrived')
  const claims = [await claimed(buyer, id, 1, 'refund'), await claimed(buyer, id, 1, 'replacement')] as const
  await handled(claims[0], ...inspected, { do: 'refund' })
  assert.ok((await payIncident(id)).ok)
  await handled(claims[1], ...inspected)
  assert.deepEqual(await handle(claims[1], { do: 'exchange' }), { ok: false, reason: 'nothing-left' })
})

for (const [wish, deed] of [
  ['replacement', refusal],
  ['repair', { do: 'exchange' }],
] as const)
  test(`R-482 goods of which the carrier reported nothing, but which their buyer had, come back to them (${wish}, ${deed.do})`, async () => {
    const buyer = newBuyer(database)
    const id = await sent(buyer, 1, 0)
    await lose(id, 'not-arrived')
    const returned = await claimed(buyer, id, 1, wish)
    await handled(returned, ...inspected, deed)
    assert.equal(await broughtBy(buyer, returned), 1)
  })

test('R-482 a lost piece that was withdrawn from is paid once, and the one that arrived can be claimed and is sent back', async () => {
  const buyer = newBuyer(database)
  const id = await sent(buyer, 2, 1)
  await lose(id)
  await handled(await asked(buyer, id, 1, {}), { do: 'refund' })
  const paid = await provider.refundedOf(id)
  await database.command({}, (scope) => endRefundedIncident(scope, { customerOrderId: id, sellerOrderId: `${id}-1` }))
  await endAfter(id, 15)
  assert.deepEqual([await provider.refundedOf(id), await piecesOf(id)], [paid, { delivered: 1, closed: 1 }])
  const returned = await claimed(buyer, id, 1, 'replacement')
  await handled(returned, ...inspected, refusal)
  assert.equal(await broughtBy(buyer, returned), 1)
})

test('R-482 of two lost pieces one was withdrawn from and refunded: the other one is paid back after its time', async () => {
  const buyer = newBuyer(database)
  const id = await sent(buyer, 2, 0)
  await lose(id)
  await lose(id)
  await handled(await asked(buyer, id, 1, {}), { do: 'refund' })
  const troubled = { customerOrderId: id, sellerOrderId: `${id}-1` }
  for (let event = 0; event < 2; event++) await database.command({}, (scope) => endRefundedIncident(scope, troubled))
  assert.deepEqual(await piecesOf(id), { closed: 1, 'incident-open': 1 })
  await endAfter(id, 15)
  assert.deepEqual([await provider.refundedOf(id), await piecesOf(id)], [2 * price + 490, { closed: 2 }])
})

test('R-482 the price of a piece that came back, and was refunded before it was received, is not that of one that was lost', async () => {
  const buyer = newBuyer(database)
  const id = await sent(buyer, 2, 1)
  const returned = await asked(buyer, id, 1, {})
  assert.ok((await buyer.does((scope) => stepByBuyer(scope, returned, 'in-transit'))).ok)
  await handled(returned, { do: 'refund' })
  await lose(id)
  await endAfter(id, 15)
  assert.equal(await provider.refundedOf(id), 2 * price + 490)
})

test('R-482 a lost piece that was withdrawn from, and paid back before the withdrawal was refunded, is paid once', async () => {
  const buyer = newBuyer(database)
  const id = await sent(buyer, 2, 1)
  await lose(id)
  const returned = await asked(buyer, id, 1, {})
  await endAfter(id, 15)
  const paid = await provider.refundedOf(id)
  await handled(returned, { do: 'refund' })
  assert.equal(await provider.refundedOf(id), paid)
})

test('R-482 part of the price, for goods that their buyer keeps, is not the price of a missing piece', async () => {
  const buyer = newBuyer(database)
  const id = await sent(buyer, 1, 0)
  await lose(id, 'not-arrived')
  const returned = await claimed(buyer, id, 1, 'part-refund', { amount: 100 })
  await handled(returned, { do: 'accept' }, { do: 'refund' })
  assert.ok((await payIncident(id)).ok)
  assert.equal(await provider.refundedOf(id), price + 490)
})

test('nothing is replaced when every piece of a claim was paid back while it was open', async () => {
  const buyer = newBuyer(database)
  const id = await sent(buyer, 1, 0)
  await lose(id, 'not-arrived')
  const returned = await claimed(buyer, id, 1, 'replacement')
  assert.ok((await payIncident(id)).ok)
  await handled(returned, ...inspected)
  assert.deepEqual(await handle(returned, { do: 'exchange' }), { ok: false, reason: 'nothing-left' })
  assert.ok((await handle(returned, { do: 'refund' })).ok, 'it is settled with what was paid')
})
