import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { addToCart, chooseCartDelivery, loadPricedCart } from '#cart'
import { addOffer, draftOrder, fillShop, must, newBuyer, place } from './testing.ts'
import { chooseDelivery } from './choose-delivery.ts'
import { showOrder } from './show-order.ts'

const database = await testDatabase({ upTo: 'checkout' })
await fillShop(database)
const sql = (text: string) => database.pool.query(text)
const standard = { kind: 'standard', fee: 490, daysMin: 2, daysMax: 4 }
const relay = { kind: 'relay', fee: 0, daysMin: 3, daysMax: 5 }
const appointment = { kind: 'appointment', fee: 5990, daysMin: 4, daysMax: 8 }
await addOffer(database, { id: '101', delivery: [relay, standard, appointment] })
await addOffer(database, { id: '102', delivery: [appointment] })
await addOffer(database, { id: '103', delivery: [appointment], price: 90_000 })
await addOffer(database, { id: '104', delivery: [standard] })

const notAvailable = { ok: false, reason: 'delivery-not-available' }

test('V-22 no order is placed with a pick-up point without the point, nor by appointment without the time', async () => {
  const buyer = newBuyer(database)
  const orderId = await draftOrder(buyer, [{ offerId: '101', quantity: 1 }])
  const [group] = (await loadPricedCart(buyer.scope())).sellers
  assert.deepEqual(
    [group?.options.map(({ kind }) => kind), group?.kind, group?.delivery],
    [['relay', 'standard', 'appointment'], 'standard', 490],
  )
  const choices = [{ sellerId: 1, kind: 'appointment' }]
  const unknown = [{ sellerId: 1, kind: 'express' }]
  assert.deepEqual(await buyer.does((scope) => chooseCartDelivery(scope, unknown)), notAvailable)
  assert.deepEqual(await buyer.does((scope) => chooseDelivery(scope, orderId, unknown)), notAvailable)
  assert.deepEqual(await place(buyer, orderId, undefined, choices), { ok: false, reason: 'slot-missing' })
  must(await buyer.does((scope) => chooseDelivery(scope, orderId, [{ sellerId: 1, kind: 'relay' }])))
  assert.deepEqual(await place(buyer, orderId), { ok: false, reason: 'pick-up-point-missing' })
  must(await buyer.does((scope) => chooseDelivery(scope, orderId, [{ sellerId: 1, kind: 'standard' }])))
  must(await place(buyer, orderId))
  assert.equal((await sql('select delivery_kind from orders.seller_order')).rows[0].delivery_kind, 'standard')
})

test('V-22 goods deliverable by appointment only come by appointment', async () => {
  const buyer = newBuyer(database)
  assert.ok((await buyer.does((scope) => addToCart(scope, { offerId: '102', quantity: 1 }))).ok)
  const [group] = (await loadPricedCart(buyer.scope())).sellers
  assert.equal(group?.kind, 'appointment')
})

test('V-22 an order placed with a pick-up point keeps it', async () => {
  const buyer = newBuyer(database)
  const id = await draftOrder(buyer, [{ offerId: '104', quantity: 1 }])
  must(await place(buyer, id))
  await database.pool.query(
    `update orders.seller_order set delivery_kind = 'relay', delivery_options = '[{"kind": "relay", "label": "Pick-up point", "promise": "Soon", "fee": 0, "daysMin": 1, "daysMax": 2}]'
      where customer_order_id = $1`,
    [id],
  )
  const shown = await showOrder(buyer.scope(), id)
  assert.deepEqual(
    shown?.sellerOrders.map(({ deliveryKind, deliveryLabel }) => [deliveryKind, deliveryLabel]),
    [['relay', 'Pick-up point']],
  )
})

test('V-22 freight of an earlier release is delivered to the kerb at its own price and lead time, never for free', async () => {
  const migration = readFileSync(join(import.meta.dirname, '../../goods/catalogue/003-kerbside-delivery.sql'), 'utf8')
  for (let times = 0; times < 2; times++) await sql(migration)
  const { rows } = await sql('select id::int, delivery from catalogue.offer order by id')
  const kerbside = { ...appointment, kind: 'kerbside' }
  assert.deepEqual(
    rows.map(({ id, delivery }) => [id, delivery]),
    [
      [101, [relay, standard, appointment]],
      [102, [kerbside, appointment]],
      [103, [kerbside, appointment]],
      [104, [standard]],
    ],
  )
  const buyer = newBuyer(database)
  const orderId = await draftOrder(buyer, [
    { offerId: '103', quantity: 1 },
    { offerId: '104', quantity: 1 },
  ])
  const [group] = (await loadPricedCart(buyer.scope())).sellers
  assert.deepEqual([group?.kind, group?.delivery, group?.freeDeliveryFrom], ['kerbside', 5990, null])
  must(await place(buyer, orderId))
})
