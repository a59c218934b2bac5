import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moveLines } from '#orders'
import { newBuyer } from '../../selling/checkout/testing.ts'
import { reportParcel } from '../fulfilment/index.ts'
import { requestReturn } from '../returns/index.ts'
import { moveDispute } from './move-dispute.ts'
import { findDispute } from './store.ts'
import { offers, sellerOf, shopWithLostParcels } from './testing.ts'

/** What a replacement that is agreed on in a dispute does to the stock. */

const shop = await shopWithLostParcels()
const { database, work, oneOfTwoLost, oneOfTwoArrived, reportLost, openedBy, agree, shipmentOf, statesOf } = shop
const [, missing] = offers.gb

async function stock(): Promise<number> {
  const { rows } = await database.pool.query<{ stock: number; movements: number }>(
    `select o.stock, (select sum(delta)::int from catalogue.stock_movement where offer_id = o.id) as movements from catalogue.offer o where o.id = $1`,
    [missing],
  )
  const [offer] = rows
  assert.equal(offer?.stock, offer?.movements, 'stock is the sum of its movements')
  return offer?.stock ?? Number.NaN
}
async function setStock(to: number): Promise<void> {
  const delta = to - (await stock())
  await database.pool.query('update catalogue.offer set stock = $2 where id = $1', [missing, to])
  await database.pool.query(
    `insert into catalogue.stock_movement (id, offer_id, delta, reason) values (gen_random_uuid(), $1, $2, 'correction')`,
    [missing, delta],
  )
}
const agreeing = (id: string) =>
  database.command(sellerOf('gb'), (scope) => moveDispute(scope, 'dispute.serve', { id, action: 'agree', note: 'We are sorry.' }))

test('R-482 a replacement is taken from stock when it is agreed on, and one that is never sent returns to it, not the lost piece', async () => {
  const buyer = newBuyer(database)
  const order = await oneOfTwoLost(buyer, 'gb', 2)
  const before = await stock()
  await agree('gb', await openedBy(buyer, order.sellerOrderId, { wish: 'replacement' }))
  assert.equal(await stock(), before - 2)
  const { sellerOrderId } = order
  const moves = [{ offerId: missing, quantity: 2, from: 'accepted', to: 'cancelled' }] as const
  const lapsed = { sellerOrderId, actor: 'system', reason: 'not-shipped-in-time', moves } as const
  assert.ok((await database.command({}, (scope) => moveLines(scope, lapsed))).ok)
  assert.equal(await stock(), before)
})

test('R-482 a replacement that the seller does not have is refused, and the dispute stays open for another offer', async () => {
  const buyer = newBuyer(database)
  const order = await oneOfTwoLost(buyer, 'gb', 2)
  const id = await openedBy(buyer, order.sellerOrderId, { wish: 'replacement' })
  const before = await stock()
  await setStock(1)
  try {
    assert.deepEqual(await agreeing(id), { ok: false, reason: 'out-of-stock' })
    assert.equal(await stock(), 1)
    assert.deepEqual(statesOf(await shipmentOf('gb', order)), ['delivered', 'incident-open'])
    assert.equal((await findDispute(database.db, id))?.state, 'open')
    await setStock(2)
    assert.ok((await agreeing(id)).ok)
    assert.equal(await stock(), 0)
  } finally {
    await setStock(before)
  }
})

test('R-482 a replacement of goods that the buyer is returning is refused, and the dispute stays open for an offer of money', async () => {
  const buyer = newBuyer(database)
  const order = await oneOfTwoLost(buyer, 'gb', 1)
  const { orderId: customerOrderId, sellerOrderId } = order
  const withdrawal = { reason: 'changed-mind', wish: 'refund', method: 'label', description: '', photos: [] } as const
  const lines = [{ offerId: missing, quantity: 1 }]
  const returned = await buyer.does((scope) => requestReturn(scope, { customerOrderId, sellerOrderId, lines, ...withdrawal }))
  assert.ok(returned.ok)
  const id = await openedBy(buyer, sellerOrderId, { wish: 'replacement' })
  assert.deepEqual(await agreeing(id), { ok: false, reason: 'return-under-way' })
  assert.equal((await findDispute(database.db, id))?.state, 'open')
  assert.deepEqual(statesOf(await shipmentOf('gb', order)), ['delivered', 'incident-open'])
  const offered = await database.command(sellerOf('gb'), (scope) =>
    moveDispute(scope, 'dispute.serve', { id, action: 'offer', amount: 30_00, note: 'We pay it back.' }),
  )
  assert.ok(offered.ok)
  assert.ok((await buyer.does((scope) => moveDispute(scope, 'dispute.open', { id, action: 'accept', note: '' }))).ok)
  await work()
  assert.equal((await findDispute(database.db, id))?.state, 'settled')
  assert.deepEqual(statesOf(await shipmentOf('gb', order)), ['closed', 'delivered'])
})

test('R-482 a piece that has come back to the seller is sent again itself: no other is taken from stock', async () => {
  const buyer = newBuyer(database)
  const order = await oneOfTwoArrived(buyer, 'gb')
  await database.command(sellerOf('gb'), (scope) => reportParcel(scope, { parcelId: order.lost, kind: 'returned', place: null }))
  const before = await stock()
  await agree('gb', await openedBy(buyer, order.sellerOrderId, { wish: 'replacement' }))
  assert.deepEqual(statesOf(await shipmentOf('gb', order)), ['accepted', 'delivered'])
  assert.equal(await stock(), before)
})

test('R-482 a loss that is reported after a replacement was agreed on stays open while there is none in stock', async () => {
  const buyer = newBuyer(database)
  const order = await oneOfTwoArrived(buyer, 'gb')
  await agree('gb', await openedBy(buyer, order.sellerOrderId, { wish: 'replacement' }))
  const before = await stock()
  await setStock(0)
  try {
    await reportLost('gb', order)
    await work()
    assert.deepEqual(statesOf(await shipmentOf('gb', order)), ['delivered', 'incident-open'])
    assert.equal(await stock(), 0)
  } finally {
    await setStock(before)
  }
})
