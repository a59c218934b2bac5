import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { addCoupon, addOffer, addresses, fillShop } from '../checkout/testing.ts'
import { testGateway } from '../../edges/gateway/testing.ts'

const database = await testDatabase()
await fillShop(database)
const gateway = await testGateway(database.pool)

interface Amount {
  amount: number
  formatted?: string
}
interface CartData {
  itemCount: number
  coupon: { code: string; label: string; discount: Amount } | null
  sellers: { subtotal: Amount; missingForFreeDelivery: Amount | null; lines: { offerId: string }[] }[]
  totals: Record<'totalWithVat' | 'totalWithoutVat' | 'vat', Amount>
}
interface OrderData {
  id: string
  state: string
  totals: { totalWithVat: Amount }
  payment: object
  sellerOrders: { seller: { id: number }; deliveryKind: string }[]
}
interface Refusal {
  reason: string
  message: string
  fields: { field: string; message: string }[]
}
interface Outcome {
  cart: CartData
  order: OrderData
  funnel: { step: string; email: string }
  refusal: Refusal
}
/** Union of the results of the queries below. */
interface Data extends Record<
  'addToCart' | 'applyCoupon' | 'continueAsGuest' | 'saveAddress' | 'chooseDelivery' | 'placeOrder' | 'reopenOrder',
  Outcome
> {
  site: { cartCount: number }
  cart: CartData
  funnel: { step: string; customerOrderId: string | null; email: string }
  customerOrder: OrderData | null
}
interface Body {
  data: Data
  errors?: unknown
}
const addAndShow = `mutation ($id: ID!, $n: Int!) { addToCart(offerId: $id, quantity: $n) {
  cart { itemCount sellers { lines { offerId quantity } } totals { totalWithVat { amount } } } refusal { reason } } }`
const add =
  'mutation ($id: ID!, $n: Int!) { addToCart(offerId: $id, quantity: $n) { refusal { reason message fields { field message } } } }'
const ask = async (query: string, variables: object, cookie: string): Promise<Body & { cookie: string; statements: number }> => {
  const { body, cookie: set, statements } = await gateway.post(query, variables, { cookie, headers: { connection: 'close' } })
  return { ...(body as Body), cookie: set || cookie, statements }
}

test('V-103 showing the cart does not read the offer just added again', async () => {
  await addOffer(database, { id: '7090', price: 500 })
  const first = await ask(addAndShow, { id: '7090', n: 1 }, '')
  const { data, statements } = await ask(addAndShow, { id: '7090', n: 1 }, first.cookie)
  assert.equal(data.addToCart.cart.itemCount, 2)
  assert.equal(statements, 3, 'who acts, the offer, and the one statement that adds')
})

test('adding to the cart takes at most four SQL statements in total', async () => {
  await addOffer(database, { id: '7001' })
  const first = await ask(add, { id: '7001', n: 1 }, '')
  assert.deepEqual(first.data, { addToCart: { refusal: null } })
  for (let round = 0; round < 3; round++) {
    const { data, statements } = await ask(add, { id: '7001', n: 1 }, first.cookie)
    assert.deepEqual(data, { addToCart: { refusal: null } })
    assert.ok(statements <= 4, `${statements} statements`)
  }
  await addOffer(database, { id: '7000', price: 500 })
  // Data shared by every request is read by the first one that needs it.
  await ask('{ cart { itemCount } }', {}, first.cookie)
  const { data: shown, statements } = await ask(addAndShow, { id: '7000', n: 2 }, first.cookie)
  assert.equal(shown.addToCart.cart.itemCount, 6)
  assert.ok(statements <= 4, `${statements} statements with the cart in the answer`)
  assert.deepEqual((await ask('{ cart { itemCount totals { totalWithVat { amount } } } }', {}, first.cookie)).data.cart, {
    itemCount: 6,
    totals: shown.addToCart.cart.totals,
  })
  const { data } = await ask('{ site { cartCount } }', {}, first.cookie)
  assert.equal(data.site.cartCount, 6)
})

test('an addition that waited for another returns a cart with both', async () => {
  for (const id of ['7010', '7011', '7012']) await addOffer(database, { id, price: 500 })
  const { cookie } = await ask(add, { id: '7010', n: 1 }, '')
  const cart = '(select cart_id from cart.line where offer_id = 7010)'
  const other = await database.pool.connect()
  await other.query('begin')
  await other.query(`update cart.cart set version = version + 1 where id = ${cart}`)
  await other.query(`insert into cart.line (cart_id, offer_id, quantity, seen_price) values (${cart}, 7011, 1, 500)`)
  const waiting = ask(addAndShow, { id: '7012', n: 1 }, cookie)
  const isWaiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while (!(await database.pool.query(isWaiting)).rowCount) await new Promise((resolve) => setTimeout(resolve, 5))
  await other.query('commit')
  other.release()
  const { data } = await waiting
  const lines = data.addToCart.cart.sellers.flatMap((seller) => seller.lines).map(({ offerId }) => offerId)
  assert.deepEqual(lines.toSorted(), ['7010', '7011', '7012'])
})

test('R-128: a guest gets from the cart to an order awaiting payment through the published API alone', async () => {
  await addOffer(database, { id: '7002', price: 1200 })
  await addOffer(database, { id: '7003', price: 6000, sellerId: 2 })
  await addCoupon(database, { code: 'SAVE10' })
  let cookie = (await ask(add, { id: '7002', n: 2 }, '')).cookie
  const go = async (query: string, variables: object = {}) => {
    const answer = await ask(query, variables, cookie)
    assert.equal(answer.errors, undefined, JSON.stringify(answer.errors))
    cookie = answer.cookie
    return answer.data
  }
  const step = async () => (await go('{ funnel { step customerOrderId email } }')).funnel
  await go(add, { id: '7003', n: 1 })
  assert.equal((await go('mutation { applyCoupon(code: " save 10 ") { refusal { reason } } }')).applyCoupon.refusal, null)
  const money = '{ amount formatted }'
  const { cart } =
    await go(`{ cart { itemCount taxKey coupon { code label discount ${money} } changes { kind } sellers { seller { name } subtotal ${money}
    delivery ${money} missingForFreeDelivery ${money} lines { title quantity total ${money} } } totals { goods ${money} delivery ${money}
    discount ${money} totalWithoutVat ${money} vat ${money} vatLines { rate net ${money} vat ${money} } totalWithVat ${money} } } }`)
  assert.equal(cart.itemCount, 3)
  assert.deepEqual(
    cart.sellers.map(({ subtotal }) => subtotal.amount),
    [2400, 6000],
  )
  assert.deepEqual(cart.sellers[0]?.missingForFreeDelivery, { amount: 2600, formatted: '£26.00' })
  assert.deepEqual(cart.coupon, { code: 'SAVE10', label: '-10%', discount: { amount: 840, formatted: '£8.40' } })
  assert.equal(cart.totals.totalWithVat.amount, 2400 + 6000 + 490 + 490 - 840)
  assert.equal(cart.totals.totalWithoutVat.amount + cart.totals.vat.amount, cart.totals.totalWithVat.amount)

  assert.equal((await step()).step, 'register')
  const guest = await go('mutation { continueAsGuest(email: "robin@example.com") { funnel { step email } refusal { reason } } }')
  assert.deepEqual(guest.continueAsGuest, { funnel: { step: 'address', email: 'robin@example.com' }, refusal: null })
  const save =
    'mutation ($input: AddressInput!) { saveAddress(input: $input) { order { id state sellerOrders { seller { id } deliveryOptions { kind } deliveryKind } } refusal { reason fields { field message } } } }'
  const wrong = await go(save, { input: { ...addresses.gb, postcode: '12345', phone: 'x' } })
  assert.deepEqual(wrong.saveAddress.refusal.fields.map(({ field }) => field).sort(), ['phone', 'postcode'])
  const { order } = (await go(save, { input: addresses.gb })).saveAddress
  assert.match(order.id, /^P[0-9A-Z]{16}$/)
  assert.equal(order.state, 'DRAFT')
  assert.deepEqual(await step(), { step: 'delivery', customerOrderId: order.id, email: 'robin@example.com' })
  const choices = order.sellerOrders.map(({ seller }) => ({ sellerId: seller.id, kind: 'express' }))
  const chosen = await go(
    'mutation ($id: ID!, $choices: [DeliveryChoiceInput!]!) { chooseDelivery(customerOrderId: $id, choices: $choices) { refusal { reason } } }',
    { id: order.id, choices },
  )
  assert.equal(chosen.chooseDelivery.refusal, null)
  const placed = await go(
    'mutation ($id: ID!, $key: String!) { placeOrder(customerOrderId: $id, idempotencyKey: $key) { order { state totals { totalWithVat { amount } } payment { state frameUrl } holdsUntil sellerOrders { deliveryKind stateLabel } } refusal { reason } } }',
    { id: order.id, key: 'key-of-the-form' },
  )
  assert.equal(placed.placeOrder.refusal, null)
  assert.equal(placed.placeOrder.order.state, 'AWAITING_PAYMENT')
  assert.equal(placed.placeOrder.order.totals.totalWithVat.amount, 2400 + 6000 + 990 + 990 - 840)
  assert.deepEqual(placed.placeOrder.order.payment, { state: 'INITIATED', frameUrl: null })
  assert.deepEqual(
    placed.placeOrder.order.sellerOrders.map(({ deliveryKind }) => deliveryKind),
    ['express', 'express'],
  )
  assert.equal((await step()).step, 'payment')

  const stranger = await ask('query ($id: ID!) { customerOrder(id: $id) { id } }', { id: order.id }, '')
  assert.deepEqual(stranger.data, { customerOrder: null })
  const reopened = await go('mutation ($id: ID!) { reopenOrder(customerOrderId: $id) { order { state } refusal { reason } } }', {
    id: order.id,
  })
  assert.deepEqual(reopened.reopenOrder, { order: { state: 'DRAFT' }, refusal: null })
  assert.equal((await step()).step, 'delivery')
})

test('a refused addition gives its reason in the market’s language and leaves no cart behind', async () => {
  await addOffer(database, { id: '7004', stock: 3 })
  const { data, cookie } = await ask(add, { id: '7004', n: 4 }, '')
  assert.deepEqual(data.addToCart.refusal, { reason: 'out-of-stock', message: 'There are only 3 left in stock.', fields: [] })
  assert.equal(cookie, '')
})
