import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { testSellerMember } from '@purlin/contract/testing.ts'
import { orderToken } from '#orders'
import { settings, type Scope } from '#platform'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { addCustomer } from '../../people/accounts/testing.ts'
import { openOrderByToken } from '../../selling/checkout/open-order-by-token.ts'
import * as checkoutJobs from '../../selling/checkout/jobs.ts'
import { addOffer, fillShop, newBuyer } from '../../selling/checkout/testing.ts'
import { allowByToken } from '../../selling/orders/access-token.ts'
import * as paymentJobs from '../../selling/payments/jobs.ts'
import * as refundJobs from '../../selling/refunds/jobs.ts'
import { testProvider } from '../../selling/refunds/testing.ts'
import { acceptSale, reportParcel, shipLines } from '../fulfilment/index.ts'
import { showShipments } from '../fulfilment/show-shipments.ts'
import { writeMessage } from '../messages/index.ts'
import { moveDispute, openDispute } from './move-dispute.ts'

/** One of two parcels is lost: the whole way to the money. */

const database = await testDatabase()
await fillShop(database)
const offers = { gb: ['8501', '8502'], de: ['8503', '8504'] } as const
for (const market of ['gb', 'de'] as const)
  for (const id of offers[market]) await addOffer(database, { id, market, price: 3000, stock: 1000 })
const work = () => runWork(database, [...paymentJobs.handlers, ...refundJobs.handlers], [...checkoutJobs.jobs, ...paymentJobs.jobs])
const gateway = await testGateway(database.pool)
const provider = await testProvider(database, gateway.url, work)
after(() => provider.close())

for (const market of ['gb', 'de'] as const)
  for (const who of ['customer', 'guest by link'] as const)
    test(`R-482 R-485 in ${market} a ${who} whose order comes in two parcels, one of them lost, gets the money for it back through a dispute`, async () => {
      const { id: customerId } = await addCustomer(database.db)
      const principal = { kind: 'customer' as const, id: customerId, email: `${customerId}@example.com`, name: 'Ann', market }
      const buyer = newBuyer(database, who === 'customer' ? { market, principal } : { market })
      const lines = offers[market].map((offerId) => ({ offerId, quantity: 1 }))
      const orderId = await provider.paidOrder(buyer, lines)
      const sellerOrderId = `${orderId}-1`
      const seller: Partial<Scope> = { market, principal: testSellerMember({ sellerId: 1 }) }
      assert.ok((await database.command(seller, (scope) => acceptSale(scope, { sellerOrderId, lines: null }))).ok)
      const parcels: string[] = []
      for (const line of lines) {
        const carrier = { name: 'Own Van', trackingNumber: `VAN${randomUUID().slice(0, 8)}` }
        const shipped = await database.command(seller, (scope) =>
          shipLines(scope, { sellerOrderId, lines: [line], carrier, idempotencyKey: randomUUID() }),
        )
        assert.ok(shipped.ok)
        parcels.push(shipped.parcelId ?? '')
      }
      const report = (parcelId: string | undefined, kind: 'delivered' | 'lost') =>
        database.command(seller, (scope) => reportParcel(scope, { parcelId: parcelId ?? '', kind, place: null }))
      await report(parcels[0], 'delivered')
      const [, lost] = [await report(parcels[0], 'delivered'), await report(parcels[1], 'lost')]
      assert.ok(lost.ok && lost.state === 'incident-open')
      const [shipment] = await showShipments({ db: database.db, now: new Date(), market }, orderId, [sellerOrderId])
      assert.deepEqual(shipment?.parcels.map(({ state }) => state).toSorted(), ['delivered', 'lost'])

      // A guest comes back another day, with the link of a mail.
      const person = who === 'customer' ? buyer : newBuyer(database, { market })
      if (who !== 'customer') {
        const message = { text: 'Where is it?', topic: 'delivery', attachments: [] } as const
        assert.equal((await person.does((scope) => writeMessage(scope, 'conversation.write', sellerOrderId, message))).ok, false)
        const { token } = await allowByToken(database.db, settings().mail.linkSecret, orderId)
        assert.equal(token, orderToken(settings().mail.linkSecret, orderId))
        await person.does((scope) => openOrderByToken(scope, token))
      }
      const text = 'A parcel of this order has been reported as lost.'
      const write = () =>
        person.does((scope) => writeMessage(scope, 'conversation.write', sellerOrderId, { text, topic: 'delivery', attachments: [] }))
      const [written, again] = [await write(), await write()]
      assert.ok(written.ok && again.ok && again.id === written.id, 'a second tap leads to the same message')
      const opened = await person.does((scope) =>
        openDispute(scope, {
          orderId: sellerOrderId,
          messageId: written.id,
          reason: 'not-received',
          wish: 'part-refund',
          amount: 3000,
          note: 'The second parcel is lost.',
        }),
      )
      assert.ok(opened.ok, JSON.stringify(opened))
      const agreed = await database.command(seller, (scope) =>
        moveDispute(scope, 'dispute.serve', { id: opened.id, action: 'agree', note: 'We are sorry.' }),
      )
      assert.ok(agreed.ok, JSON.stringify(agreed))
      await work()
      assert.equal(await provider.refundedOf(orderId), 3000, 'what was lost and nothing else')
    })
