import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderToken, placeReplacement } from '#orders'
import { settings } from '#platform'
import { addCustomer } from '../../people/accounts/testing.ts'
import { openOrderByToken } from '../../selling/checkout/open-order-by-token.ts'
import { newBuyer } from '../../selling/checkout/testing.ts'
import { allowByToken } from '../../selling/orders/access-token.ts'
import { acceptSale, reportParcel } from '../fulfilment/index.ts'
import { writeMessage } from '../messages/index.ts'
import { showReturnOptions } from '../returns/show-return.ts'
import { moveAs, moveDispute, openDispute } from './move-dispute.ts'
import { listDisputesOfOrder } from './show-dispute.ts'
import { offers, sellerOf, shopWithLostParcels } from './testing.ts'

/** One of two parcels is lost: the whole way to the money. */

const shop = await shopWithLostParcels()
const { database, provider, work, oneOfTwoLost, oneOfTwoArrived, reportLost, send, openedBy, agree, shipmentOf, statesOf, payableAt } = shop

for (const market of ['gb', 'de'] as const)
  for (const who of ['customer', 'guest by link'] as const)
    test(`R-482 R-485 in ${market} a ${who} whose order comes in two parcels, one of them lost, gets the money for it back through a dispute`, async () => {
      const { id: customerId } = await addCustomer(database.db)
      const principal = { kind: 'customer' as const, id: customerId, email: `${customerId}@example.com`, name: 'Ann', market }
      const buyer = newBuyer(database, who === 'customer' ? { market, principal } : { market })
      const order = await oneOfTwoLost(buyer, market)
      const { orderId, sellerOrderId } = order
      assert.deepEqual((await shipmentOf(market, order)).parcels.map(({ state }) => state).toSorted(), ['delivered', 'lost'])

      // A guest comes back another day, with the link of a mail.
      const person = who === 'customer' ? buyer : newBuyer(database, { market })
      if (who !== 'customer') {
        const message = { text: 'Where is it?', topic: 'delivery', attachments: [] } as const
        assert.equal((await person.does((scope) => writeMessage(scope, 'conversation.write', sellerOrderId, message))).ok, false)
        const { token } = await allowByToken(database.db, settings().mail.linkSecret, orderId)
        assert.equal(token, orderToken(settings().mail.linkSecret, orderId))
        await person.does((scope) => openOrderByToken(scope, token))
      }
      await agree(market, await openedBy(person, sellerOrderId, { wish: 'part-refund', amount: 3000 }))
      assert.equal(await provider.refundedOf(orderId), 3000, 'what was lost and nothing else')
    })

test('R-482 a lost piece that a dispute has refunded is closed: it can be neither reported nor returned again, and the rest is paid out', async () => {
  const buyer = newBuyer(database)
  const order = await oneOfTwoLost(buyer, 'gb')
  await work()
  assert.equal(await payableAt(order.sellerOrderId), null)
  await agree('gb', await openedBy(buyer, order.sellerOrderId, { wish: 'part-refund', amount: 3000 }))
  const shipment = await shipmentOf('gb', order)
  assert.deepEqual(statesOf(shipment), ['closed', 'delivered'])
  assert.equal(shipment.history.at(-1)?.label, '1 item did not arrive and was refunded')
  const options = await showReturnOptions(buyer.scope(), order.orderId, order.sellerOrderId, [])
  assert.deepEqual(
    options?.lines.map(({ returnable }) => returnable),
    [1, 0],
  )
  assert.ok(await payableAt(order.sellerOrderId), 'the seller is paid for what has arrived')
  assert.deepEqual(
    (await listDisputesOfOrder(buyer.scope(), order.orderId))?.map(({ state, isEnded }) => [state, isEnded]),
    [['settled', true]],
  )
  assert.equal(await listDisputesOfOrder(newBuyer(database).scope(), order.orderId), null, 'nobody else’s')
})

test('R-482 a lost piece whose seller agrees to replace it is sent again with another parcel', async () => {
  const buyer = newBuyer(database)
  const order = await oneOfTwoLost(buyer, 'gb')
  await agree('gb', await openedBy(buyer, order.sellerOrderId, { wish: 'replacement' }))
  const waiting = await shipmentOf('gb', order)
  assert.deepEqual(statesOf(waiting), ['accepted', 'delivered'])
  assert.equal(waiting.history.at(-1)?.label, 'The seller sends 1 item again')
  await send('gb', order.sellerOrderId, [{ offerId: offers.gb[1], quantity: 1 }])
  assert.deepEqual(statesOf(await shipmentOf('gb', order)), ['delivered', 'shipped'])
  // The first parcel turns up after all: the piece that is on its way again stays where it is.
  const found = await database.command(sellerOf('gb'), (scope) =>
    reportParcel(scope, { parcelId: order.lost, kind: 'delivered', place: null }),
  )
  assert.ok(found.ok)
  assert.deepEqual(statesOf(await shipmentOf('gb', order)), ['delivered', 'shipped'])
  assert.equal(await provider.refundedOf(order.orderId), 0)
})

for (const [what, wish] of [
  ['money for the delay', { wish: 'part-refund', amount: 500 }],
  ['the price of one of two pieces', { wish: 'part-refund', amount: 3000 }],
  ['a repair', { wish: 'repair' }],
] as const)
  test(`R-482 ${what} leaves the incident of two lost pieces open: nobody is paid for them, and they can still arrive, and be returned`, async () => {
    const buyer = newBuyer(database)
    const order = await oneOfTwoLost(buyer, 'gb', 2)
    await agree('gb', await openedBy(buyer, order.sellerOrderId, wish))
    assert.deepEqual(statesOf(await shipmentOf('gb', order)), ['delivered', 'incident-open'])
    assert.equal(await payableAt(order.sellerOrderId), null)
    const found = await database.command(sellerOf('gb'), (scope) =>
      reportParcel(scope, { parcelId: order.lost, kind: 'delivered', place: null }),
    )
    assert.ok(found.ok)
    await work()
    assert.deepEqual(new Set(statesOf(await shipmentOf('gb', order))), new Set(['delivered']))
    assert.ok(await payableAt(order.sellerOrderId))
    const options = await showReturnOptions(buyer.scope(), order.orderId, order.sellerOrderId, [])
    assert.ok(options?.lines.every(({ returnable }) => returnable > 0))
  })

test('R-482 a lost piece that is disputed as missing from the order is closed as well once it is paid back', async () => {
  const buyer = newBuyer(database)
  const order = await oneOfTwoLost(buyer, 'gb')
  await agree('gb', await openedBy(buyer, order.sellerOrderId, { wish: 'part-refund', amount: 3000, reason: 'incomplete' }))
  assert.deepEqual(statesOf(await shipmentOf('gb', order)), ['closed', 'delivered'])
})

test('R-482 a dispute about something else in the order ends no incident', async () => {
  const buyer = newBuyer(database)
  const order = await oneOfTwoLost(buyer, 'gb')
  await agree('gb', await openedBy(buyer, order.sellerOrderId, { wish: 'part-refund', amount: 3000, reason: 'damaged' }))
  assert.deepEqual(statesOf(await shipmentOf('gb', order)), ['delivered', 'incident-open'])
})

test('R-482 a decision that gives nothing back closes the incident, and the seller is paid', async () => {
  const buyer = newBuyer(database)
  const order = await oneOfTwoLost(buyer, 'gb')
  const id = await openedBy(buyer, order.sellerOrderId, { wish: 'refund' })
  const contested = await database.command(sellerOf('gb'), (scope) =>
    moveDispute(scope, 'dispute.serve', { id, action: 'contest', note: 'It was handed over and signed for.' }),
  )
  assert.ok(contested.ok)
  const decide = { id, action: 'decide', amount: 0, note: 'The signature is the buyer’s.' } as const
  assert.ok((await database.command({}, (scope) => moveAs(scope, 'operator', decide))).ok)
  assert.deepEqual(statesOf(await shipmentOf('gb', order)), ['delivered', 'incident-open'], 'it can be appealed')
  assert.ok((await database.command({}, (scope) => moveAs(scope, 'system', { id, action: 'finish' }))).ok)
  await work()
  assert.deepEqual(statesOf(await shipmentOf('gb', order)), ['closed', 'delivered'])
  assert.equal(await provider.refundedOf(order.orderId), 0)
  assert.ok(await payableAt(order.sellerOrderId))
})

for (const [agreed, wish, state] of [
  ['a refund', { wish: 'part-refund', amount: 3000 }, 'closed'],
  ['a replacement', { wish: 'replacement' }, 'accepted'],
  ['money for a delay', { wish: 'part-refund', amount: 500 }, 'incident-open'],
] as const)
  test(`R-482 a parcel that is reported as lost after ${agreed} was agreed on has its pieces ${state}`, async () => {
    const buyer = newBuyer(database)
    const order = await oneOfTwoArrived(buyer, 'gb')
    await agree('gb', await openedBy(buyer, order.sellerOrderId, wish))
    assert.deepEqual(statesOf(await shipmentOf('gb', order)), ['delivered', 'shipped'])
    await reportLost('gb', order)
    await work()
    assert.deepEqual(statesOf(await shipmentOf('gb', order)), [state, 'delivered'].toSorted())
    assert.equal((await payableAt(order.sellerOrderId)) !== null, state === 'closed')
  })

test('R-482 one agreement ends one incident: the replacement that is lost as well waits for a dispute of its own', async () => {
  const buyer = newBuyer(database)
  const order = await oneOfTwoLost(buyer, 'gb')
  await agree('gb', await openedBy(buyer, order.sellerOrderId, { wish: 'replacement' }))
  const again = await send('gb', order.sellerOrderId, [{ offerId: offers.gb[1], quantity: 1 }])
  await reportLost('gb', { ...order, lost: again })
  await work()
  assert.deepEqual(statesOf(await shipmentOf('gb', order)), ['delivered', 'incident-open'])
})

test('a replacement that gets lost is paid back with the money of the goods it replaced, and with no more of it', async () => {
  const buyer = newBuyer(database)
  const order = await oneOfTwoArrived(buyer, 'gb')
  const lines = [{ offerId: offers.gb[0], quantity: 1 }]
  const replacing = await database.command({}, (scope) => placeReplacement(scope, { sellerOrderId: order.sellerOrderId, lines }))
  await work()
  const sellerOrderId = `${replacing}-1`
  assert.ok((await database.command(sellerOf('gb'), (scope) => acceptSale(scope, { sellerOrderId, lines: null }))).ok)
  const lost = await send('gb', sellerOrderId, lines)
  await reportLost('gb', { orderId: String(replacing), sellerOrderId, lost })

  const id = await openedBy(buyer, sellerOrderId, { wish: 'refund' })
  const offer = (amount: number) =>
    database.command(sellerOf('gb'), (scope) => moveDispute(scope, 'dispute.serve', { id, action: 'offer', amount, note: 'Sorry.' }))
  assert.deepEqual(await offer(3001), { ok: false, reason: 'amount-invalid' })
  await agree('gb', id)
  assert.equal(await provider.refundedOf(order.orderId), 3000)
})

test('a decision is final: no other dispute about what is missing, until another parcel gets lost', async () => {
  const buyer = newBuyer(database)
  const order = await oneOfTwoLost(buyer, 'gb')
  const { sellerOrderId } = order
  const id = await openedBy(buyer, sellerOrderId, { wish: 'refund' })
  const decide = { id, action: 'decide', amount: 0, note: 'It was signed for.' } as const
  const contest = { id, action: 'contest', note: 'It was signed for.' } as const
  assert.ok((await database.command(sellerOf('gb'), (scope) => moveDispute(scope, 'dispute.serve', contest))).ok)
  assert.ok((await database.command({}, (scope) => moveAs(scope, 'operator', decide))).ok)
  assert.ok((await buyer.does((scope) => moveDispute(scope, 'dispute.open', { id, action: 'appeal', note: 'It was not.' }))).ok)
  assert.ok((await database.command({}, (scope) => moveAs(scope, 'operator', decide))).ok)

  const again = async (reason: 'not-received' | 'incomplete') => {
    const message = { text: `Once more: ${reason}`, topic: 'delivery', attachments: [] } as const
    const written = await buyer.does((scope) => writeMessage(scope, 'conversation.write', sellerOrderId, message))
    const about = {
      orderId: sellerOrderId,
      messageId: written.ok ? written.id : '',
      reason,
      wish: 'refund',
      note: 'It has not come.',
    } as const
    return buyer.does((scope) => openDispute(scope, about))
  }
  assert.deepEqual(await again('not-received'), { ok: false, reason: 'dispute-decided' })
  assert.deepEqual(await again('incomplete'), { ok: false, reason: 'dispute-decided' })
  await database.pool.query(
    `update orders.line_move set at = now() + interval '1 minute' where seller_order_id = $1 and to_state = 'delivered'`,
    [sellerOrderId],
  )
  assert.ok((await again('not-received')).ok, 'of what came after the decision it knew nothing')
})
