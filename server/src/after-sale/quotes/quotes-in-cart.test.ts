/** What an accepted quote costs in the cart, and when it does not apply. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { addToCart, chooseCartDelivery, loadPricedCart, putLines } from '#cart'
import { setQuantityBreaks } from '#catalogue'
import { writeQuotedPrices } from '#conditions'
import { newId } from '#platform'
import { testDatabase } from '#platform/testing'
import { applyCoupon } from '../../selling/cart/apply-coupon.ts'
import { setCartQuantity } from '../../selling/cart/set-cart-quantity.ts'
import { showCart } from '../../selling/cart/show-cart.ts'
import { addCoupon, addOffer, companiesIn, draftOrder, fillShop, must, place, type Colleague } from '../../selling/checkout/testing.ts'

const database = await testDatabase()
const { pool } = database
await fillShop(database)
await addOffer(database, { id: '6001', price: 1200 })
await addOffer(database, { id: '6002', price: 500 })
await addOffer(database, { id: '6003', price: 700 })
must(
  await database.command({}, (scope) =>
    setQuantityBreaks(scope, { market: 'gb', offerId: '6001', sellerId: 1, breaks: [{ group: 'b2b', from: 10, price: 1000 }] }),
  ),
)
const companies = companiesIn(database)

type Line = [offerId: string, quantity: number, price: number]
async function accept(who: Colleague, quoted: readonly Line[], delivery = 250): Promise<string> {
  const quoteId = newId()
  const lines = quoted.map(([offerId, quantity, price]) => ({ offerId, quantity, price }))
  const validUntil = new Date(Date.now() + 86_400_000)
  const { id: customerId, company } = who.principal
  const to = { quoteId, sellerId: 1, customerId, companyId: company.id, market: 'gb', delivery, validUntil } as const
  await who.does(async (scope) => {
    await writeQuotedPrices(scope.db, { ...to, lines })
    await putLines(scope, lines)
  })
  return quoteId
}
const newBuyer = async () => companies.join(await companies.newCompany(), 'buyer')
const setTo = async (who: Colleague, offerId: string, quantity: number) =>
  must(await who.does((scope) => setCartQuantity(scope, offerId, quantity)))
const cartOf = async (who: Colleague) => {
  const { sellers, totals, couponDiscount } = await loadPricedCart(who.scope())
  const lines = sellers.flatMap((group) => group.lines).map(({ counted, unitPrice, state }) => [counted, unitPrice, state])
  return { lines, delivery: totals.delivery, total: totals.total, couponDiscount }
}
const claimedBy = async (quoteId: string) =>
  (await pool.query<{ id: string | null }>('select order_id as id from conditions.quoted_price where quote_id = $1', [quoteId])).rows.map(
    ({ id }) => id,
  )

test('a quote for one piece is a price for one piece: two cost what they cost everybody, ten reach their break, and one order takes it', async () => {
  const who = await newBuyer()
  const quoteId = await accept(who, [['6001', 1, 300]], 0)
  assert.deepEqual((await cartOf(who)).lines, [[1, 300, 'ok']])
  await setTo(who, '6001', 2)
  assert.deepEqual((await cartOf(who)).lines, [[2, 1200, 'ok']])
  await setTo(who, '6001', 50)
  assert.deepEqual((await cartOf(who)).lines, [[50, 1000, 'ok']])
  await setTo(who, '6001', 1)
  assert.deepEqual((await cartOf(who)).lines, [[1, 300, 'ok']])
  const order = await draftOrder(who, [])
  must(await place(who, order))
  assert.deepEqual(await claimedBy(quoteId), [order])
})

test('a quote is ordered as a whole: without one of its lines, or with another quantity, every line costs what it does in the shop, to be confirmed', async () => {
  const who = await newBuyer()
  const quoteId = await accept(who, [
    ['6001', 10, 300],
    ['6002', 10, 490],
  ])
  const whole = [
    [10, 300, 'ok'],
    [10, 490, 'ok'],
  ]
  assert.deepEqual((await cartOf(who)).lines, whole)
  await setTo(who, '6002', 0)
  assert.deepEqual((await cartOf(who)).lines, [[10, 1000, 'price-changed']])
  const order = await draftOrder(who, [])
  const refused = await place(who, order)
  assert.deepEqual(refused, { ok: false, reason: 'cart-changed' })
  must(await who.does((scope) => addToCart(scope, { offerId: '6002', quantity: 10 })))
  assert.deepEqual((await cartOf(who)).lines, whole)
  await setTo(who, '6002', 11)
  assert.deepEqual((await cartOf(who)).lines[0], [10, 1000, 'price-changed'])
  await setTo(who, '6002', 10)
  assert.deepEqual((await cartOf(who)).lines, whole)
  must(await place(who, await draftOrder(who, [])))
  assert.equal(new Set(await claimedBy(quoteId)).size, 1)
})

test('other goods beside a quote leave its prices alone, and of two quotes for the same goods the one that is whole applies', async () => {
  const who = await newBuyer()
  await accept(who, [
    ['6001', 10, 300],
    ['6002', 10, 490],
  ])
  must(await who.does((scope) => addToCart(scope, { offerId: '6003', quantity: 1 })))
  assert.deepEqual((await cartOf(who)).lines, [
    [10, 300, 'ok'],
    [10, 490, 'ok'],
    [1, 700, 'ok'],
  ])
  await accept(who, [['6001', 5, 400]])
  assert.deepEqual((await cartOf(who)).lines[0], [5, 400, 'ok'])
  await setTo(who, '6001', 10)
  await setTo(who, '6002', 10)
  assert.deepEqual(
    (await cartOf(who)).lines.map(([, price]) => price),
    [300, 490, 700],
  )
})

test('the quoted delivery is the usual one: express costs what it costs, and nothing costs less than was quoted', async () => {
  const feeOf = async (quoted: number, kind: string) => {
    const who = await newBuyer()
    await accept(who, [['6001', 10, 300]], quoted)
    await draftOrder(who, [])
    must(await who.does((scope) => chooseCartDelivery(scope, [{ sellerId: 1, kind }])))
    return (await cartOf(who)).delivery
  }
  assert.deepEqual([await feeOf(0, 'standard'), await feeOf(0, 'express')], [0, 990])
  assert.deepEqual([await feeOf(1900, 'standard'), await feeOf(1900, 'express')], [1900, 1900])
})

test('a subscriber keeps free delivery with a quote', async () => {
  const who = await newBuyer()
  await pool.query(
    `insert into subscriptions.subscription (id, company_id, customer_id, market, origin, state, period, has_trial, paid_until, created_at)
     values ($1, $2, $3, 'gb', 'http://pro.gb.localhost:3000', 'active', 'monthly', false, now() + interval '10 days', now())`,
    [randomUUID(), who.principal.company.id, who.principal.id],
  )
  await accept(who, [['6001', 10, 300]])
  assert.deepEqual(await cartOf(who), { lines: [[10, 300, 'ok']], delivery: 0, total: 3000, couponDiscount: 0 })
})

test('a quote that is dearer than the shop, delivery included, does not apply and is not used up', async () => {
  const who = await newBuyer()
  // In the shop ten cost 10000, and their delivery nothing.
  const quoteId = await accept(who, [['6001', 10, 980]], 250)
  assert.deepEqual(await cartOf(who), { lines: [[10, 1000, 'price-changed']], delivery: 0, total: 10_000, couponDiscount: 0 })
  const cheaper = await newBuyer()
  await accept(cheaper, [['6001', 10, 975]], 250)
  assert.deepEqual((await cartOf(cheaper)).total, 10_000, 'just as much')
  await accept(who, [
    ['6001', 10, 1001],
    ['6002', 10, 400],
  ])
  assert.deepEqual((await cartOf(who)).total, 14_260, 'the whole counts, not each line')
  assert.deepEqual(await claimedBy(quoteId), [null])
})

test('a coupon reduces everything but quoted lines, and the cart says so', async () => {
  await addCoupon(database, { code: 'TOP', value: 50, per_customer_limit: 100 })
  const who = await newBuyer()
  await accept(who, [['6001', 10, 300]], 0)
  assert.deepEqual(await who.does((scope) => applyCoupon(scope, 'TOP')), { ok: false, reason: 'coupon-not-for-quotes' })
  must(await who.does((scope) => addToCart(scope, { offerId: '6003', quantity: 2 })))
  must(await who.does((scope) => applyCoupon(scope, 'TOP')))
  assert.equal((await cartOf(who)).couponDiscount, 700)
  const shown = await showCart(who.scope())
  assert.equal(shown.coupon?.note, 'This code does not apply to quoted prices.')
  // A code that reduces nothing is in nobody's way.
  await setTo(who, '6003', 0)
  must(await place(who, await draftOrder(who, [])))
})
