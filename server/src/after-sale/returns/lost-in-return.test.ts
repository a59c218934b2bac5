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
import { endRefundedIncident, endUnclaimed } from '../disputes/end-unclaimed.ts'
import { handleReturn, type ReturnDeed } from './handle-return.ts'
import { handlers } from './jobs.ts'
import { requestReturn } from './request-return.ts'
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
/** Of two pieces one has arrived, and one was lost. */
async function oneOfTwoLost(buyer: Buyer): Promise<string> {
  const id = await provider.paidOrder(buyer, pieces(2))
  await move(id, 'seller', ['pending', 'accepted'], 2)
  await move(id, 'seller', ['accepted', 'shipped'], 2)
  await move(id, 'carrier', ['shipped', 'delivered'], 1)
  await move(id, 'carrier', ['shipped', 'incident-open'], 1, 'carrier-lost')
  return id
}

async function photoOf(buyer: Buyer): Promise<string> {
  const photo = newId()
  await insertUpload(database.db, { id: photo, owner: ownerOf(buyer.scope()) ?? '', bytes: 100 })
  await settleUpload(database.db, photo, { key: `upload/${photo}`, name: 'crack.jpg', bytes: 100 })
  return photo
}
async function askedFor(buyer: Buyer, id: string, wish: 'refund' | 'replacement'): Promise<string> {
  const claim = { reason: 'defective', wish, method: 'label', description: '', photos: [await photoOf(buyer)] } as const
  const withdrawal = { reason: 'changed-mind', wish, method: 'label', description: '', photos: [] } as const
  const about = { customerOrderId: id, sellerOrderId: `${id}-1`, lines: pieces(2) }
  const asked = await buyer.does((scope) => requestReturn(scope, { ...about, ...(wish === 'refund' ? withdrawal : claim) }))
  assert.ok(asked.ok)
  return asked.id
}
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
const newOrderOf = async (buyer: Buyer, returnId: string) =>
  (await showReturn(buyer.scope(), returnId))?.replacement?.customerOrderId ?? assert.fail('no replacement')

test('R-482 a lost piece whose price went back with a return of worn goods is not paid again: what the seller deducted stays deducted', async () => {
  const buyer = newBuyer(database)
  const id = await oneOfTwoLost(buyer)
  const returned = await askedFor(buyer, id, 'refund')
  await handled(returned, { do: 'receive' }, { do: 'inspect', finding: 'used' }, { do: 'refund', amount: 2500, note: 'Scratched' })
  await database.command({}, (scope) => endRefundedIncident(scope, { customerOrderId: id, sellerOrderId: `${id}-1` }))
  const paid = await provider.refundedOf(id)
  assert.equal(paid, 2500 + 490, 'with the delivery charge')
  await endAfter(id, 15)
  assert.deepEqual([await provider.refundedOf(id), await piecesOf(id)], [paid, { delivered: 1, closed: 1 }])
})

test('R-482 a lost piece that a return has replaced is not paid back as well', async () => {
  const buyer = newBuyer(database)
  const id = await oneOfTwoLost(buyer)
  const returned = await askedFor(buyer, id, 'replacement')
  await handled(returned, { do: 'accept' }, { do: 'receive' }, { do: 'inspect', finding: 'as-described' }, { do: 'exchange' })
  assert.deepEqual(await piecesOf(await newOrderOf(buyer, returned)), { pending: 2 })
  await endAfter(id, 15)
  assert.deepEqual([await provider.refundedOf(id), await piecesOf(id)], [0, { delivered: 1, closed: 1 }])
})

test('R-482 a lost piece that was paid back while its return was open is not replaced as well', async () => {
  const buyer = newBuyer(database)
  const id = await oneOfTwoLost(buyer)
  const returned = await askedFor(buyer, id, 'replacement')
  await handled(returned, { do: 'accept' })
  await endAfter(id, 15)
  assert.equal(await provider.refundedOf(id), 2000 + 245, 'with its share of the delivery charge')
  await handled(returned, { do: 'receive' }, { do: 'inspect', finding: 'as-described' }, { do: 'exchange' })
  assert.deepEqual(await piecesOf(await newOrderOf(buyer, returned)), { pending: 1 })
})

test('R-482 of goods whose claim is refused only those that had arrived are sent back, and the lost piece is paid back', async () => {
  const buyer = newBuyer(database)
  const id = await oneOfTwoLost(buyer)
  const returned = await askedFor(buyer, id, 'replacement')
  await handled(
    returned,
    { do: 'accept' },
    { do: 'receive' },
    { do: 'inspect', finding: 'as-described' },
    { do: 'refuse', note: 'Not broken' },
  )
  assert.deepEqual(await piecesOf(await newOrderOf(buyer, returned)), { pending: 1 })
  await endAfter(id, 15)
  assert.deepEqual([await provider.refundedOf(id), await piecesOf(id)], [2000 + 245, { delivered: 1, closed: 1 }])
})

test('nothing is replaced when every piece of a return was paid back while it was open', async () => {
  const buyer = newBuyer(database)
  const id = await provider.paidOrder(buyer, pieces(1))
  await move(id, 'seller', ['pending', 'accepted'], 1)
  await move(id, 'seller', ['accepted', 'shipped'], 1)
  await move(id, 'carrier', ['shipped', 'incident-open'], 1, 'carrier-lost')
  const claim = { reason: 'defective', wish: 'replacement', method: 'label', description: '', photos: [await photoOf(buyer)] } as const
  const about = { customerOrderId: id, sellerOrderId: `${id}-1`, lines: pieces(1) }
  const asked = await buyer.does((scope) => requestReturn(scope, { ...about, ...claim }))
  if (!asked.ok) return assert.fail(asked.reason)
  await handled(asked.id, { do: 'accept' })
  await endAfter(id, 15)
  await handled(asked.id, { do: 'receive' }, { do: 'inspect', finding: 'as-described' })
  assert.deepEqual(await handle(asked.id, { do: 'exchange' }), { ok: false, reason: 'nothing-left' })
  assert.ok((await handle(asked.id, { do: 'refund' })).ok, 'it is settled with what was paid')
})
