import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Statement } from '#platform'
import { testDatabase } from '#platform/testing'
import { writePrices } from '../../goods/catalogue/write-price.ts'
import { reopenOrder } from '../checkout/reopen-order.ts'
import { addCoupon, addOffer, draftOrder, fillShop, must, newBuyer, place } from '../checkout/testing.ts'
import { addToCart } from './add-to-cart.ts'
import { applyCoupon, removeCoupon } from './apply-coupon.ts'
import { chooseCartDelivery } from './choose-cart-delivery.ts'
import { confirmCartChanges } from './confirm-cart-changes.ts'
import { loadCart, loadPricedCart } from './load-cart.ts'
import { mergeCarts } from './merge-carts.ts'
import { removeFromCart, setCartQuantity } from './set-cart-quantity.ts'
import { readCartLocked } from './cart-reads.ts'
import { showCart, showCartLeft } from './show-cart.ts'
import { setCartLine } from './store.ts'

const database = await testDatabase()
await fillShop(database)
const sql = (text: string, values: unknown[] = []) => database.pool.query(text, values)
const add = (buyer: ReturnType<typeof newBuyer>, offerId: string, quantity = 1) =>
  buyer.does((scope) => addToCart(scope, { offerId, quantity }))
const quantities = async (buyer: ReturnType<typeof newBuyer>) =>
  Object.fromEntries((await loadCart(buyer.scope())).lines.map(({ offerId, quantity }) => [offerId, quantity]))

await addOffer(database, { id: '101', stock: 1000 })
await addOffer(database, { id: '102', stock: 1000, sellerId: 2 })
await addOffer(database, { id: '103', market: 'fr', stock: 1000 })
await addOffer(database, { id: '104', stock: 5 })
await addOffer(database, { id: '105', stock: 1000, sellerId: 3 })

test('concurrent additions from many tabs all count', async () => {
  const buyer = newBuyer(database)
  const results = await Promise.all(Array.from({ length: 30 }, (_, index) => add(buyer, index % 2 ? '101' : '102', 2)))
  assert.ok(results.every(({ ok }) => ok))
  assert.deepEqual(await quantities(buyer), { 101: 30, 102: 30 })
  const carts = await sql('select 1 from cart.cart where owner = $1', [`s:${buyer.scope().session?.id}`])
  assert.equal(carts.rowCount, 1)
})

test('concurrent additions never exceed a stock of five', async () => {
  const buyer = newBuyer(database)
  const results = await Promise.all(Array.from({ length: 12 }, () => add(buyer, '104')))
  assert.equal(results.filter(({ ok }) => ok).length, 5)
  assert.deepEqual(
    results.find(({ ok }) => !ok),
    { ok: false, reason: 'out-of-stock', details: { available: 5 } },
  )
  assert.deepEqual(await quantities(buyer), { 104: 5 })
})

test('A14 A18 A19: an offer of another market or an invalid quantity is refused', async () => {
  const buyer = newBuyer(database)
  for (const id of ['', '0', '-1', '1.5', '1e3', 'null', '101 ', '99999999999999999999', "101'--", '999999']) {
    assert.deepEqual(await add(buyer, id), { ok: false, reason: 'unknown-offer' }, id)
  }
  assert.deepEqual(await add(buyer, '103'), { ok: false, reason: 'not-for-this-market' })
  assert.equal((await add(buyer, '101', 0)).ok, false)
  assert.equal((await add(buyer, '101', -1)).ok, false)
  assert.deepEqual(await quantities(buyer), {})
})

test('A8: a line of somebody else’s cart can be neither set nor removed', async () => {
  const owner = newBuyer(database)
  const stranger = newBuyer(database)
  must(await add(owner, '101', 3))
  assert.deepEqual(await stranger.does((scope) => setCartQuantity(scope, '101', 9)), { ok: false, reason: 'unknown-line' })
  assert.deepEqual(await stranger.does((scope) => removeFromCart(scope, '101')), { ok: false, reason: 'unknown-line' })
  assert.deepEqual(await stranger.does((scope) => removeFromCart({ ...scope, session: null }, '101')), {
    ok: false,
    reason: 'unknown-line',
  })
  assert.deepEqual(await quantities(owner), { 101: 3 })
})

test('a line can be set to any available quantity, and 0 removes it', async () => {
  const buyer = newBuyer(database)
  must(await add(buyer, '101', 3))
  must(await add(buyer, '104'))
  must(await buyer.does((scope) => setCartQuantity(scope, '101', 7)))
  assert.equal((await buyer.does((scope) => setCartQuantity(scope, '104', 6))).ok, false)
  must(await buyer.does((scope) => setCartQuantity(scope, '104', 0)))
  assert.deepEqual(await quantities(buyer), { 101: 7 })
})

test('a new price, reduced stock and a paused offer are reported, and only the buyer’s confirmation changes the cart', async () => {
  await addOffer(database, { id: '111', price: 1000 })
  await addOffer(database, { id: '112', stock: 8 })
  await addOffer(database, { id: '113' })
  await addOffer(database, { id: '114', stock: 2 })
  const buyer = newBuyer(database)
  for (const [id, quantity] of [
    ['111', 1],
    ['112', 6],
    ['113', 1],
    ['114', 2],
  ] as const)
    must(await add(buyer, id, quantity))
  await writePrices(database.db, [{ offerId: '111', price: 1200, proPrice: null }])
  await sql('update catalogue.offer set stock = 4 where id = 112')
  await sql(`update catalogue.offer set status = 'paused' where id = 113`)
  await sql('update catalogue.offer set stock = 0 where id = 114')
  const states = async () =>
    Object.fromEntries(
      (await loadPricedCart(buyer.scope())).sellers.flatMap(({ lines }) => lines.map(({ offer, state }) => [offer.id, state])),
    )
  assert.deepEqual(await states(), { 111: 'price-changed', 112: 'less-stock', 113: 'offer-gone', 114: 'out-of-stock' })
  must(await buyer.does(confirmCartChanges))
  assert.deepEqual(await states(), { 111: 'ok', 112: 'ok' })
  assert.deepEqual(await quantities(buyer), { 111: 1, 112: 4 })
})

test('merging two carts loses no line, and is idempotent and commutative', async () => {
  const shapes: { from: Record<string, number>; into: Record<string, number> }[] = [
    { from: { 101: 3, 102: 1 }, into: { 101: 2, 105: 4 } },
    { from: {}, into: { 101: 1 } },
    { from: { 105: 2 }, into: {} },
  ]
  for (const { from, into } of shapes) {
    const [a, b] = [newBuyer(database), newBuyer(database)]
    for (const [id, quantity] of Object.entries(from)) must(await add(a, id, quantity))
    for (const [id, quantity] of Object.entries(into)) must(await add(b, id, quantity))
    const owner = (buyer: typeof a) => `s:${buyer.scope().session?.id}`
    await database.command({}, (scope) => mergeCarts(scope, owner(a), owner(b)))
    const merged = await quantities(b)
    const expected: Record<string, number> = { ...from, ...into }
    for (const id of Object.keys(expected)) expected[id] = Math.max(from[id] ?? 0, into[id] ?? 0)
    assert.deepEqual(merged, expected)
    assert.deepEqual(await quantities(a), {})
    await database.command({}, (scope) => mergeCarts(scope, owner(a), owner(b)))
    assert.deepEqual(await quantities(b), expected)
  }
})

test('A26: free delivery counts the current cart, and only delivery kinds the seller offers can be chosen', async () => {
  const buyer = newBuyer(database)
  must(await add(buyer, '101', 5))
  const one = async () => (await loadPricedCart(buyer.scope())).sellers[0]
  assert.deepEqual([(await one())?.goods, (await one())?.delivery], [6000, 0])
  must(await buyer.does((scope) => chooseCartDelivery(scope, [{ sellerId: 1, kind: 'express' }])))
  assert.deepEqual([(await one())?.kind, (await one())?.delivery], ['express', 990])
  must(await buyer.does((scope) => setCartQuantity(scope, '101', 1)))
  must(await buyer.does((scope) => chooseCartDelivery(scope, [{ sellerId: 1, kind: 'standard' }])))
  assert.deepEqual([(await one())?.goods, (await one())?.delivery], [1200, 490])
  assert.deepEqual(await buyer.does((scope) => chooseCartDelivery(scope, [{ sellerId: 1, kind: 'relay' }])), {
    ok: false,
    reason: 'delivery-not-available',
  })
  assert.deepEqual(await buyer.does((scope) => chooseCartDelivery(scope, [{ sellerId: 2, kind: 'standard' }])), {
    ok: false,
    reason: 'delivery-unknown',
  })
})

test('A22: after ten wrong codes the coupon field refuses every code, including the right one', async () => {
  await addCoupon(database, { code: 'GUESSME' })
  const buyer = newBuyer(database)
  must(await add(buyer, '101'))
  const guess = (code: string) => buyer.does((scope) => applyCoupon(scope, code))
  for (let index = 0; index < 10; index++) assert.deepEqual(await guess(`WRONG${index}`), { ok: false, reason: 'coupon-unknown' })
  assert.deepEqual(await guess('GUESSME'), { ok: false, reason: 'too-many-attempts' })
})

test('a coupon can be removed again', async () => {
  await addCoupon(database, { code: 'TEN' })
  const buyer = newBuyer(database)
  must(await add(buyer, '101'))
  const before = (await loadPricedCart(buyer.scope())).totals
  must(await buyer.does((scope) => applyCoupon(scope, 'ten')))
  assert.equal((await loadPricedCart(buyer.scope())).couponDiscount, 120)
  must(await buyer.does(removeCoupon))
  assert.deepEqual((await loadPricedCart(buyer.scope())).totals, before)
})

const orderWith = async (code: string, overrides = {}) => {
  const buyer = newBuyer(database, overrides)
  const orderId = await draftOrder(buyer, [{ offerId: '101', quantity: 1 }])
  must(await buyer.does((scope) => applyCoupon(scope, code)))
  return { buyer, orderId }
}

test('I8 A21: of 20 concurrent orders with a coupon limited to three, three get it', async () => {
  await addCoupon(database, { code: 'THREE', total_limit: 3 })
  const drafts = []
  for (let index = 0; index < 20; index++) drafts.push(await orderWith('THREE'))
  const results = await Promise.all(drafts.map(({ buyer, orderId }) => place(buyer, orderId)))
  assert.equal(results.filter(({ ok }) => ok).length, 3)
  assert.ok(results.every((result) => result.ok || result.reason === 'coupon-exhausted'))
  assert.equal((await sql(`select used from cart.coupon where code = 'THREE'`)).rows[0].used, 3)
})

test('I8 A21 A32: one person uses a coupon for one order, however many they place at once', async () => {
  await addCoupon(database, { code: 'ONCE', per_customer_limit: 1 })
  const drafts = []
  for (let index = 0; index < 8; index++) {
    const { buyer, orderId } = await orderWith('ONCE')
    await sql('update orders.customer_order set email = $2 where id = $1', [orderId, `robin+${index}@example.com`])
    drafts.push({ buyer, orderId })
  }
  const results = await Promise.all(drafts.map(({ buyer, orderId }) => place(buyer, orderId)))
  assert.equal(results.filter(({ ok }) => ok).length, 1)
  assert.ok(results.every((result) => result.ok || result.reason === 'coupon-already-used'))
  assert.equal((await sql(`select used from cart.coupon where code = 'ONCE'`)).rows[0].used, 1)
})

test('I8: reopening an order releases its coupon', async () => {
  await addCoupon(database, { code: 'BACK', total_limit: 1 })
  const { buyer, orderId } = await orderWith('BACK')
  must(await place(buyer, orderId))
  const used = async () => (await sql(`select used from cart.coupon where code = 'BACK'`)).rows[0].used
  assert.equal(await used(), 1)
  must(await buyer.does((scope) => reopenOrder(scope, orderId)))
  assert.equal(await used(), 0)
  must(await place(buyer, orderId))
  assert.equal(await used(), 1)
})

test('V-103 a cart changed while a command waits for its lock is sold in its new state', async () => {
  const buyer = newBuyer(database)
  must(await add(buyer, '101', 2))
  const owner = `s:${buyer.scope().session?.id}`
  const gate = Promise.withResolvers<void>()
  const changing = database.command({}, async ({ db }) => {
    await setCartLine(db, owner, 'gb', '101', 7, [])
    await gate.promise
  })
  await sleep(100)
  const reading = database.command({}, ({ db }) => readCartLocked(db, owner, 'gb'))
  await sleep(100)
  gate.resolve()
  await changing
  const { cart, offers } = await reading
  assert.deepEqual([cart.lines[0]?.quantity, offers[0]?.id], [7, '101'])
})

test('the totals that a command has left are computed without what is only shown of the products, which is read when requested', async () => {
  const buyer = newBuyer(database)
  await addOffer(database, { id: '119', price: 1200, stock: 1000, sellerId: 3 })
  for (const offerId of ['101', '102', '119']) must(await add(buyer, offerId, 2))
  await writePrices(database.db, [{ offerId: '119', price: 1300, proPrice: null }])
  const sent: string[] = []
  const { db, ...scope } = buyer.scope()
  const noted = (statement: Statement) => (sent.push(statement.text), statement)
  const noting: Db = {
    ...db,
    rows: (statement, values) => db.rows(noted(statement), values),
    row: (statement, values) => db.row(noted(statement), values),
    run: (statement, values) => db.run(noted(statement), values),
  }

  const left = await showCartLeft({ ...scope, db: noting })
  const readsTitles = () => sent.some((text) => text.includes('titles'))
  assert.deepEqual([sent.length > 0, readsTitles()], [true, false])
  const whole = await showCart(buyer.scope())
  for (const key of ['id', 'itemCount', 'totals', 'taxKey', 'coupon'] as const) assert.deepEqual(left[key], whole[key])

  const [sellers, changes] = [await left.sellers(), await left.changes()]
  assert.deepEqual([sellers, changes], [await whole.sellers(), await whole.changes()])
  assert.deepEqual([changes.map(({ kind, title }) => [kind, title]), readsTitles()], [[['price-changed', 'Drill 119']], true])
  assert.equal(sent.filter((text) => text.includes('titles')).length, 1)
})
