import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { addToCart, loadPricedCart, readCart } from '#cart'
import { testDatabase } from '#platform/testing'
import { applyCoupon } from '../cart/apply-coupon.ts'
import { dropCartLine } from '../cart/store.ts'
import { setBudget } from '../purchasing/manage-budgets.ts'
import { proposalOwner } from './place-order.ts'
import { decideApproval, returnToCart } from './decide-approval.ts'
import { requestApproval } from './request-approval.ts'
import { saveAddress } from './save-address.ts'
import { showApproval } from './show-approval.ts'
import { addCoupon, addOffer, addresses, companiesIn, draftOrder, fillShop, must, type Colleague } from './testing.ts'

/** Goods of a request for approval on their way back into the buyer's basket: none gets lost. */

const database = await testDatabase()
const { db, pool } = database
const { newCompany, join } = companiesIn(database)
before(async () => {
  await fillShop(database)
  await addCoupon(database, { code: 'TEN' })
})

let offers = 7300
const newOffer = async (stock: number): Promise<string> => {
  const id = String(++offers)
  await addOffer(database, { id, price: 100_00, proPrice: 100_00, stock })
  return id
}
const stockIs = (id: string, stock: number) => pool.query('update catalogue.offer set stock = $2 where id = $1', [id, stock])
const titleOf = (id: string) => `Drill ${id}`

/** A buyer whose request for these pieces of new offers, with 10 of each in stock, waits or was refused. */
async function requested(quantities: number[], { isRefused = false } = {}) {
  const ids: string[] = []
  for (const _ of quantities) ids.push(await newOffer(10))
  const company = await newCompany()
  const [admin, buyer] = [await join(company, 'admin'), await join(company, 'buyer')]
  must(await admin.does((scope) => setBudget(scope, { kind: 'member', subjectId: buyer.principal.id, monthly: null, perOrder: 10 })))
  const lines = ids.map((offerId, index) => ({ offerId, quantity: quantities[index] ?? 1 }))
  const orderId = await draftOrder(buyer, lines)
  const { id } = must(await buyer.does((scope) => requestApproval(scope, { customerOrderId: orderId, payBy: 'card', note: '' })))
  if (isRefused) must(await admin.does((scope) => decideApproval(scope, id, { isApproved: false, comment: '', agreedTotal: null })))
  return { buyer, ids, id, orderId }
}
const takeBack = (buyer: Colleague, id: string) => buyer.does((scope) => returnToCart(scope, id))
const linesOf = async (owner: string) =>
  (await readCart(db, owner, 'gb')).lines.map(({ offerId, quantity }) => [offerId, quantity]).toSorted()
const inBasket = ({ principal }: Colleague) => linesOf(`c:${principal.id}:pro`)
const page = async (buyer: Colleague, id: string) => {
  const { canReturn, left, state } = (await showApproval(buyer.scope(), id)) ?? assert.fail('no request')
  return { canReturn, left, state }
}

test('an empty basket takes all goods back, also those of which there are too few by now, and shows what has changed', async () => {
  const { buyer, ids, id, orderId } = await requested([5, 2, 1])
  const [fewer = '', gone = '', same = ''] = ids
  await stockIs(fewer, 3)
  await stockIs(gone, 0)
  assert.deepEqual(await takeBack(buyer, id), { ok: true, left: [] })
  assert.deepEqual(await inBasket(buyer), [
    [fewer, 5],
    [gone, 2],
    [same, 1],
  ])
  const { sellers } = await loadPricedCart(buyer.scope())
  const states = new Map(sellers.flatMap(({ lines }) => lines.map(({ offer, state }) => [offer.id, state])))
  assert.deepEqual([states.get(fewer), states.get(gone), states.get(same)], ['less-stock', 'out-of-stock', 'ok'])
  assert.deepEqual(await page(buyer, id), { canReturn: false, left: [], state: 'withdrawn' })
  const saved = must(await buyer.does((scope) => saveAddress(scope, addresses.gb)))
  assert.equal(saved.orderId, orderId, 'and the order that was begun continues')
})

test('beside other goods in the basket those that there are too few of stay with the request, named, until they can be returned', async () => {
  const { buyer, ids, id } = await requested([5, 2])
  const [fewer = '', fine = ''] = ids
  const own = await newOffer(10)
  must(await buyer.does((scope) => addToCart(scope, { offerId: own, quantity: 1 })))
  must(await buyer.does((scope) => addToCart(scope, { offerId: fine, quantity: 3 })))
  await stockIs(fewer, 3)
  assert.deepEqual(await takeBack(buyer, id), { ok: true, left: [titleOf(fewer)] })
  const basket = [
    [fine, 5],
    [own, 1],
  ]
  assert.deepEqual(await inBasket(buyer), basket)
  assert.deepEqual(await linesOf(proposalOwner(id)), [[fewer, 5]])
  assert.deepEqual(await page(buyer, id), { canReturn: true, left: [titleOf(fewer)], state: 'withdrawn' })
  assert.deepEqual(await takeBack(buyer, id), { ok: true, left: [titleOf(fewer)] }, 'again, and nothing is added twice')
  assert.deepEqual(await inBasket(buyer), basket)
  await stockIs(fewer, 10)
  assert.deepEqual(await takeBack(buyer, id), { ok: true, left: [] })
  assert.deepEqual(await inBasket(buyer), [[fewer, 5], ...basket])
  assert.deepEqual(await page(buyer, id), { canReturn: false, left: [], state: 'withdrawn' })
  assert.deepEqual(await takeBack(buyer, id), { ok: true, left: [] })
  assert.deepEqual(await inBasket(buyer), [[fewer, 5], ...basket])
})

test('goods that are sold no longer, or that a full basket has no room for, stay with a refused request', async () => {
  const { buyer, ids, id } = await requested([1, 1], { isRefused: true })
  const [gone = '', other = ''] = ids
  const own = await newOffer(10)
  must(await buyer.does((scope) => addToCart(scope, { offerId: own, quantity: 1 })))
  assert.deepEqual(await page(buyer, id), { canReturn: true, left: [], state: 'refused' })
  await pool.query('update cart.line set seen_price = 99999900 where offer_id = $1', [own])
  assert.deepEqual(await takeBack(buyer, id), { ok: true, left: [titleOf(gone), titleOf(other)] })
  assert.deepEqual(await inBasket(buyer), [[own, 1]])
  await pool.query('update cart.line set seen_price = 10000 where offer_id = $1', [own])
  await pool.query('delete from catalogue.offer where id = $1', [gone])
  assert.deepEqual(await takeBack(buyer, id), { ok: true, left: [titleOf(gone)] })
  assert.deepEqual(
    await inBasket(buyer),
    [
      [other, 1],
      [own, 1],
    ].toSorted(),
  )
  assert.deepEqual(await page(buyer, id), { canReturn: true, left: [titleOf(gone)], state: 'refused' })
})

test('an emptied basket gives way to the goods and leaves them its coupon', async () => {
  const { buyer, ids, id } = await requested([1])
  const own = await newOffer(10)
  must(await buyer.does((scope) => addToCart(scope, { offerId: own, quantity: 1 })))
  must(await buyer.does((scope) => applyCoupon(scope, 'TEN')))
  const basket = `c:${buyer.principal.id}:pro`
  assert.equal(await dropCartLine(db, basket, 'gb', own), true)
  assert.deepEqual(await takeBack(buyer, id), { ok: true, left: [] })
  const { couponCode, lines } = await readCart(db, basket, 'gb')
  assert.deepEqual([couponCode, lines.map(({ offerId }) => offerId)], ['TEN', ids])
  const { rows } = await pool.query('select count(*)::int as carts from cart.cart where owner = any($1)', [[basket, proposalOwner(id)]])
  assert.deepEqual(rows, [{ carts: 1 }])
})

test('goods that return twice at once, or while the buyer fills the basket, are in it once', async () => {
  for (let round = 0; round < 5; round++) {
    const { buyer, ids, id } = await requested([2])
    const own = await newOffer(10)
    await Promise.all([takeBack(buyer, id), takeBack(buyer, id), buyer.does((scope) => addToCart(scope, { offerId: own, quantity: 1 }))])
    assert.deepEqual(await inBasket(buyer), [...ids.map((offerId) => [offerId, 2]), [own, 1]])
  }
})
