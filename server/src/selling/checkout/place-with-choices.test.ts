import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { writePrices } from '../../goods/catalogue/write-price.ts'
import { addCoupon, addOffer, addresses, fillShop, stockOf } from './testing.ts'

const database = await testDatabase()
const { db } = database
await fillShop(database)
await addCoupon(database, { code: 'TEN' })
const gateway = await testGateway(database.pool)
after(() => gateway.close())

type TestDelivery = NonNullable<Parameters<typeof addOffer>[1]['delivery']>

let offers = 7000
interface Shopper {
  orderId: string
  offerId: string
  place(more?: { key?: string; kind?: string; sellerId?: number; choices?: object[] }): Promise<string | null>
}

/** Over HTTP as a page does it: two items of one seller in the cart, an address, and the order placed with standard delivery. */
async function shopper({
  coupon,
  delivery,
  phone = addresses.gb.phone,
}: { coupon?: string; delivery?: TestDelivery; phone?: string | null } = {}): Promise<Shopper> {
  const offerId = String((offers += 1))
  await addOffer(database, { id: offerId, stock: 10, ...(delivery && { delivery }) })
  let cookie = ''
  const mutate = async (query: string, variables: object): Promise<Record<string, { refusal: { reason: string } | null }>> => {
    const reply = await gateway.post(query, variables, { cookie })
    cookie ||= reply.cookie
    const { data, errors } = reply.body as { data: never; errors?: unknown }
    assert.equal(errors, undefined, JSON.stringify(errors))
    return data
  }
  const must = async (query: string, variables: object) => {
    const data = await mutate(query, variables)
    for (const { refusal } of Object.values(data)) assert.equal(refusal, null)
    return data
  }
  await must('mutation ($id: ID!) { addToCart(offerId: $id, quantity: 2) { refusal { reason } } }', { id: offerId })
  if (coupon) await must('mutation ($code: String!) { applyCoupon(code: $code) { refusal { reason } } }', { code: coupon })
  await must('mutation ($email: String!) { continueAsGuest(email: $email) { refusal { reason } } }', { email: `b${offerId}@example.com` })
  const saved = await must('mutation ($input: AddressInput!) { saveAddress(input: $input) { order { id } refusal { reason } } }', {
    input: { ...addresses.gb, phone },
  })
  const orderId = String((saved['saveAddress'] as unknown as { order: { id: string } }).order.id)
  const place: Shopper['place'] = async ({ key = randomUUID(), kind = 'standard', sellerId = 1, choices = [{ sellerId, kind }] } = {}) => {
    const data = await mutate(
      `mutation ($id: ID!, $key: String!, $choices: [DeliveryChoiceInput!]) {
        placeOrder(customerOrderId: $id, idempotencyKey: $key, choices: $choices) { refusal { reason } } }`,
      { id: orderId, key, choices },
    )
    return data['placeOrder']?.refusal?.reason ?? null
  }
  return { orderId, offerId, place }
}

/** A snapshot of everything the command could touch. */
async function standing({ orderId, offerId }: Shopper): Promise<unknown> {
  const of = async (text: string, id = orderId) => (await database.pool.query(text, [id])).rows
  const inCart = 'cart_id = (select cart_id from orders.customer_order where id = $1)'
  return {
    order: await of('select * from orders.customer_order where id = $1'),
    parts: await of('select * from orders.seller_order where customer_order_id = $1'),
    lines: await of('select * from orders.order_line where customer_order_id = $1'),
    moves: await of('select * from orders.transition where customer_order_id = $1 order by id'),
    payments: await of('select * from payments.payment where customer_order_id = $1 order by placement'),
    choices: await of(`select * from cart.delivery_choice where ${inCart}`),
    coupons: await of('select * from cart.coupon_redemption where customer_order_id = $1'),
    offer: await of('select stock from catalogue.offer where id = $1', offerId),
    movements: await of('select * from catalogue.stock_movement where reference = $1 order by id'),
    events: (await database.events()).length,
    keys: (await database.pool.query('select count(*) from platform.idempotency')).rows,
  }
}

test('V-59 choosing delivery and placing the order are one command: one payment, and stock held once', async () => {
  const buyer = await shopper()
  assert.equal(await buyer.place({ kind: 'express' }), null)
  assert.equal(await stockOf(database, buyer.offerId), 8)
  const [order] = (await database.pool.query('select * from orders.customer_order where id = $1', [buyer.orderId])).rows
  const [part] = (await database.pool.query('select * from orders.seller_order where customer_order_id = $1', [buyer.orderId])).rows
  assert.deepEqual([order.state, order.placement, part.delivery_kind], ['awaiting-payment', 1, 'express'])
  const [cart] = (await database.pool.query('select version from cart.cart where id = $1', [order.cart_id])).rows
  assert.equal(order.cart_version, cart.version, 'the funnel leads to the payment of this very cart')
})

test('V-59 an order awaiting payment is placed again with another delivery, and is left unchanged with the same', async () => {
  const buyer = await shopper()
  assert.equal(await buyer.place(), null)
  const before = await standing(buyer)
  assert.equal(await buyer.place(), null)
  const { keys: _again, ...same } = (await standing(buyer)) as { keys: unknown }
  const { keys: _before, ...was } = before as { keys: unknown }
  assert.deepEqual(same, was)
  assert.equal(await buyer.place({ kind: 'express' }), null)
  const { rows } = await database.pool.query(
    'select placement, abandoned from payments.payment where customer_order_id = $1 order by placement',
    [buyer.orderId],
  )
  assert.deepEqual(rows, [
    { placement: 1, abandoned: 'voided' },
    { placement: 2, abandoned: null },
  ])
  assert.equal(await stockOf(database, buyer.offerId), 8)
})

const refusals: [string, string, (buyer: Shopper) => Promise<unknown>, Parameters<Shopper['place']>[0]][] = [
  ['a seller who is not in the cart', 'delivery-unknown', async () => undefined, { sellerId: 2, kind: 'express' }],
  ['a way the seller does not offer', 'delivery-not-available', async () => undefined, { kind: 'drone' }],
  ['a price that rose', 'cart-changed', ({ offerId }) => writePrices(db, [{ offerId, price: 1500, proPrice: null }]), { kind: 'express' }],
  [
    'an offer that was taken off sale',
    'cart-changed',
    ({ offerId }) => database.pool.query(`update catalogue.offer set status = 'paused' where id = $1`, [offerId]),
    { kind: 'express' },
  ],
  [
    'a coupon that expired',
    'coupon-expired',
    () => database.pool.query(`update cart.coupon set ends_on = '2020-01-02' where code = 'TEN'`),
    { kind: 'express' },
  ],
  [
    'a payment that was authorised meanwhile',
    'payment-in-progress',
    ({ orderId }) => database.pool.query(`update payments.payment set state = 'authorised' where customer_order_id = $1`, [orderId]),
    { kind: 'express' },
  ],
  [
    'an order that was paid meanwhile',
    'order-already-paid',
    ({ orderId }) => database.pool.query(`update orders.customer_order set state = 'paid' where id = $1`, [orderId]),
    { kind: 'express' },
  ],
  ['no idempotency key', 'idempotency-key-missing', async () => undefined, { kind: 'express', key: '' }],
]
for (const [title, reason, change, asked] of refusals) {
  test(`V-59 a command refused for ${title} leaves a placed order unchanged: goods, coupon, payment, delivery`, async () => {
    await database.pool.query(`update cart.coupon set ends_on = '2099-12-31' where code = 'TEN'`)
    const buyer = await shopper({ coupon: 'TEN' })
    assert.equal(await buyer.place(), null)
    await change(buyer)
    const before = await standing(buyer)
    assert.equal(await buyer.place(asked), reason)
    assert.deepEqual(await standing(buyer), before)
  })
}

test('V-59 of two choices for one seller the last wins, without an internal error', async () => {
  const buyer = await shopper()
  const choices = ['standard', 'express'].map((kind) => ({ sellerId: 1, kind }))
  assert.equal(await buyer.place({ choices }), null)
  const { rows } = await database.pool.query('select delivery_kind from orders.seller_order where customer_order_id = $1', [buyer.orderId])
  assert.deepEqual(rows, [{ delivery_kind: 'express' }])
})

test('V-59 the same key is one command; with other choices it is refused', async () => {
  const buyer = await shopper()
  const key = randomUUID()
  assert.equal(await buyer.place({ key }), null)
  const before = await standing(buyer)
  assert.equal(await buyer.place({ key }), null)
  assert.equal(await buyer.place({ key, kind: 'express' }), 'idempotency-key-reused')
  assert.deepEqual(await standing(buyer), before)
})

test('V-41 freight is not sold without a phone number, by which it is announced; a parcel needs none', async () => {
  const kerb = { kind: 'kerbside' as const, fee: 3900, daysMin: 4, daysMax: 8 }
  const delivery = [{ kind: 'standard' as const, fee: 490, daysMin: 2, daysMax: 4 }, kerb]
  const buyer = await shopper({ delivery, phone: null })
  const before = await standing(buyer)
  assert.equal(await buyer.place({ kind: 'kerbside' }), 'address-invalid')
  assert.deepEqual(await standing(buyer), before, 'a refusal changes nothing')
  assert.equal(await buyer.place({ kind: 'standard' }), null)
  const called = await shopper({ delivery: [kerb] })
  assert.equal(await called.place({ kind: 'kerbside' }), null)
})
