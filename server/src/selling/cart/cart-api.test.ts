import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { addCoupon, addOffer, addresses, fillShop } from '../checkout/testing.ts'
import { testGateway } from '../../edges/gateway/testing.ts'
import { writePrices } from '../../goods/catalogue/write-price.ts'
import { testOffer } from '../../goods/listing/test-shop.ts'

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

interface StatedCart {
  cart: {
    changes: { offerId: string; kind: string }[]
    sellers: { lines: { offerId: string; quantity: number; state: string }[] }[]
    instead: { offerId: string; offers: { id: string }[] }[]
  }
  replaceInCart: { refusal: { reason: string } | null }
}
const stated = async (cookie: string) => {
  const { body } = await gateway.post(
    '{ cart { changes { offerId kind } sellers { lines { offerId quantity state } } instead { offerId offers { id } } } }',
    {},
    { cookie },
  )
  return (body as unknown as { data: StatedCart }).data.cart
}
const replace = async (cookie: string, offerId: string, byOfferId: string) => {
  const { body } = await gateway.post(
    'mutation ($offerId: ID!, $byOfferId: ID!) { replaceInCart(offerId: $offerId, byOfferId: $byOfferId) { refusal { reason } } }',
    { offerId, byOfferId },
    { cookie },
  )
  return (body as unknown as { data: StatedCart }).data.replaceInCart.refusal?.reason ?? null
}
const write = (text: string) => database.pool.query(text)
/** Another seller's offer of the same product. */
const alsoSells = (id: number, productId: number) => testOffer(database.db, { id, productId, sellerId: 2, price: 1300, stock: 9 })

test('R-480 a cart line is ok, has a changed price, is out of stock or its offer is gone, and another offer replaces it with consent alone', async () => {
  for (const id of ['7101', '7102', '7103', '7104']) await addOffer(database, { id })
  await alsoSells(7203, 7103)
  await alsoSells(7204, 7104)
  let cookie = ''
  for (const id of ['7101', '7102', '7103', '7104']) ({ cookie } = await ask(add, { id, n: 4 }, cookie))
  const states = async () => {
    const { sellers } = await stated(cookie)
    return Object.fromEntries(sellers.flatMap(({ lines }) => lines.map((line) => [line.offerId, `${line.quantity} ${line.state}`])))
  }
  assert.deepEqual(await states(), { 7101: '4 OK', 7102: '4 OK', 7103: '4 OK', 7104: '4 OK' })
  await writePrices(database.db, [{ offerId: '7102', price: 1250, proPrice: null }])
  await write('update catalogue.offer set stock = 0 where id = 7103')
  await write(`update catalogue.offer set status = 'ended' where id = 7104`)
  const changed = { 7101: '4 OK', 7102: '4 PRICE_CHANGED', 7103: '4 OUT_OF_STOCK', 7104: '4 OFFER_GONE' }
  assert.deepEqual(await states(), changed)
  const { changes, instead } = await stated(cookie)
  assert.deepEqual(changes.map(({ kind }) => kind).toSorted(), ['offer-gone', 'out-of-stock', 'price-changed'])
  assert.deepEqual(
    instead.map(({ offerId, offers }) => [offerId, offers.map(({ id }) => id)]),
    [
      ['7103', ['7203']],
      ['7104', ['7204']],
    ],
  )
  assert.deepEqual(await states(), changed, 'nothing is replaced by itself')

  assert.equal(await replace(cookie, '7104', '7204'), null)
  assert.equal(await replace(cookie, '7103', '7203'), null)
  assert.deepEqual(await states(), { 7101: '4 OK', 7102: '4 PRICE_CHANGED', 7203: '4 OK', 7204: '4 OK' })
})

test('R-480 A8 only a line that cannot be bought is replaced, in one’s own cart, by an offer of the same product', async () => {
  for (const id of ['7301', '7302', '7303']) await addOffer(database, { id })
  await alsoSells(7401, 7301)
  const { cookie } = await ask(add, { id: '7301', n: 12 }, '')
  const { cookie: stranger } = await ask(add, { id: '7302', n: 1 }, '')
  assert.equal(await replace(cookie, '7301', '7401'), 'unknown-line', 'it can still be bought')
  await write(`update catalogue.offer set status = 'paused' where id = 7301`)
  assert.equal(await replace(stranger, '7301', '7401'), 'unknown-line')
  assert.equal(await replace(cookie, '7301', '7303'), 'unknown-offer', 'another product')
  for (const id of ['7301', '9999999', '0', 'x', '']) assert.equal(await replace(cookie, '7301', id), 'unknown-offer', id)
  assert.equal(await replace(cookie, '7301', '7401'), null)
  const [line] = (await stated(cookie)).sellers.flatMap(({ lines }) => lines)
  assert.deepEqual([line?.offerId, line?.quantity], ['7401', 9], 'as many as its seller has')
  assert.equal(await replace(cookie, '7301', '7401'), 'unknown-line', 'once')
})
