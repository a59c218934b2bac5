import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { keepClosedNumber } from '#accounts'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { addCustomer, signIn } from '../../people/accounts/testing.ts'
import { reopenOrder } from '../checkout/reopen-order.ts'
import { addCoupon, addOffer, companiesIn, draftOrder, fillShop, must, newBuyer, place, type Buyer } from '../checkout/testing.ts'
import { applyCoupon } from './apply-coupon.ts'
import { loadPricedCart } from './load-cart.ts'

/** Coupons for a first order: nobody gets one who has bought, and nobody gets two. */

const database = await testDatabase()
await fillShop(database)
await addOffer(database, { id: '1', stock: 1000 })
const gateway = await testGateway(database.pool)
await addCoupon(database, { code: 'HELLO', first_order_only: true, is_listed: true })
await addCoupon(database, { code: 'WELCOME', first_order_only: true })

const lines = [{ offerId: '1', quantity: 1 }]
const refused = { ok: false, reason: 'coupon-first-order-only' }
const apply = (buyer: Buyer, code = 'HELLO') => buyer.does((scope) => applyCoupon(scope, code))
const pay = (id: string) =>
  database.pool.query(`update orders.customer_order set state = 'paid', paid_at = now(), cart_id = gen_random_uuid() where id = $1`, [id])
const guest = (email: string) => {
  const id = randomUUID()
  return newBuyer(database, { principal: { kind: 'guest', id, email }, session: { id } })
}

async function bought(buyer: Buyer): Promise<void> {
  const id = await draftOrder(buyer, lines)
  must(await place(buyer, id))
  await pay(id)
}

test('R-413 a welcome code takes its discount off a first order, and is refused in the cart from then on', async () => {
  const buyer = newBuyer(database)
  const id = await draftOrder(buyer, lines)
  must(await apply(buyer))
  assert.equal((await loadPricedCart(buyer.scope())).couponDiscount, 120)
  must(await place(buyer, id))
  await pay(id)
  assert.deepEqual(await apply(buyer, 'WELCOME'), refused)
  assert.equal((await loadPricedCart(buyer.scope())).couponReason, 'coupon-first-order-only', 'also the one the cart still holds')
})

test('R-413 A32 somebody who has bought is known by account and by address, however it is written', async () => {
  await bought(guest('Mary.Ann@gmail.com'))
  await bought(guest('joe@example.com'))
  for (const email of ['maryann+new@googlemail.com', 'JOE+2@example.com', 'joe@example.com']) {
    const buyer = guest(email)
    await draftOrder(buyer, lines)
    // googlemail.com and gmail.com stay two domains, as for every limit per customer.
    const isSame = !email.includes('googlemail')
    assert.deepEqual(await apply(buyer), isSame ? refused : { ok: true }, email)
  }
  const again = guest('mary.ann+b@gmail.com')
  await draftOrder(again, lines)
  assert.deepEqual(await apply(again), refused)
})

test('R-413 an order that was never paid is no first order, one that was cancelled after its payment is', async () => {
  const buyer = newBuyer(database)
  const unpaid = await draftOrder(buyer, lines)
  must(await place(buyer, unpaid))
  await database.pool.query(`update orders.customer_order set state = 'cancelled', cart_id = gen_random_uuid() where id = $1`, [unpaid])
  assert.deepEqual(await apply(buyer), { ok: true })
  await database.pool.query(`update orders.customer_order set paid_at = now() where id = $1`, [unpaid])
  assert.deepEqual(await apply(buyer), refused)
})

test('R-413 a company’s first order is the company’s, whoever of its members places it', async () => {
  const { newCompany, join } = companiesIn(database)
  const company = await newCompany()
  const [ann, ben] = [await join(company, 'admin'), await join(company, 'admin')]
  await bought(ann)
  await draftOrder(ben, lines)
  assert.deepEqual(await apply(ben), refused)
})

const numbered = async (vatNumber: string) => {
  const company = await companiesIn(database).newCompany()
  await database.pool.query('update accounts.company set vat_number = $2 where id = $1', [company.id, vatNumber])
  return company
}

test('R-413 A32 a company that is registered twice with its number has one first order, also if the first was closed since', async () => {
  const { join } = companiesIn(database)
  const bea = async (vatNumber: string) => {
    const buyer = await join(await numbered(vatNumber), 'admin')
    await draftOrder(buyer, lines)
    return buyer
  }
  const first = await join(await numbered('GB200000001'), 'admin')
  await bought(first)
  assert.deepEqual(await apply(await bea('GB200000001')), refused)
  await database.command({}, ({ db }) => keepClosedNumber(db, first.principal.company.id, 'GB200000001'))
  await database.pool.query('update accounts.company set vat_number = null where id = $1', [first.principal.company.id])
  assert.deepEqual(await apply(await bea('GB200000001')), refused)
  assert.deepEqual(await apply(await bea('GB200000002')), { ok: true })
})

test('A21 R-413 of two companies of one number that each place a first order at once, one gets the discount', async () => {
  const { join } = companiesIn(database)
  for (let round = 0; round < 4; round++) {
    const orders: (() => ReturnType<typeof place>)[] = []
    for (const code of ['HELLO', 'WELCOME']) {
      const buyer = await join(await numbered(`GB21000000${round}`), 'buyer')
      const id = await draftOrder(buyer, lines)
      must(await apply(buyer, code))
      orders.push(() => place(buyer, id))
    }
    const results = await Promise.all(orders.map((order) => order()))
    assert.equal(results.filter(({ ok }) => ok).length, 1)
    for (const result of results) if (!result.ok) assert.deepEqual(result, refused)
  }
})

test('A21 R-413 of four colleagues who each place a first order at once, one gets the discount, however many codes there are', async () => {
  const { join } = companiesIn(database)
  const [company, other] = [await numbered('GB200000003'), await numbered('GB200000004')]
  const draft = async (of: typeof company, code: string) => {
    const buyer = await join(of, 'buyer')
    const id = await draftOrder(buyer, lines)
    must(await apply(buyer, code))
    return () => place(buyer, id)
  }
  const drafts: (() => ReturnType<typeof place>)[] = []
  for (const code of ['HELLO', 'WELCOME', 'HELLO', 'HELLO']) drafts.push(await draft(company, code))
  const results = await Promise.all(drafts.map((order) => order()))
  assert.equal(results.filter(({ ok }) => ok).length, 1)
  for (const result of results) if (!result.ok) assert.deepEqual(result, refused)
  must(await (await draft(other, 'HELLO'))())
})

test('A21 R-413 of ten orders that one person places at once with two welcome codes, one gets a discount', async () => {
  const drafts: { buyer: Buyer; id: string }[] = []
  for (let n = 0; n < 10; n++) {
    const buyer = guest(`robin+${n}@example.com`)
    const id = await draftOrder(buyer, lines)
    must(await apply(buyer, n % 2 === 0 ? 'HELLO' : 'WELCOME'))
    drafts.push({ buyer, id })
  }
  const results = await Promise.all(drafts.map(({ buyer, id }) => place(buyer, id)))
  assert.equal(results.filter(({ ok }) => ok).length, 1)
  for (const result of results) if (!result.ok) assert.deepEqual(result, refused)
})

test('R-413 placing asks again: an order paid for since the code was entered counts', async () => {
  const buyer = guest('late@example.com')
  const id = await draftOrder(buyer, lines)
  must(await apply(buyer))
  await bought(guest('late+other@example.com'))
  assert.deepEqual(await place(buyer, id), refused)
  const { rows } = await database.pool.query('select 1 from cart.coupon_redemption where customer_order_id = $1', [id])
  assert.deepEqual(rows, [])
})

test('R-413 the address of the order counts as well, not only the one the session has by then', async () => {
  await bought(guest('known@example.com'))
  const buyer = guest('unknown@example.com')
  const id = await draftOrder(buyer, lines)
  must(await apply(buyer))
  await database.pool.query(`update orders.customer_order set email = 'known@example.com' where id = $1`, [id])
  assert.deepEqual(await place(buyer, id), refused)
})

test('R-413 an order that is reopened gives its welcome code back', async () => {
  const buyer = newBuyer(database)
  const id = await draftOrder(buyer, lines)
  must(await apply(buyer))
  must(await place(buyer, id))
  must(await buyer.does((scope) => reopenOrder(scope, id)))
  must(await place(buyer, id))
})

test('R-137 R-413 a coupon for a first order is listed for customers until they have bought', async () => {
  const { id } = await addCustomer(database.db)
  const { token } = await signIn(database.db, { customerId: id })
  const listed = async () => {
    const { body } = await gateway.post('{ myCoupons { code isForFirstOrder } }', {}, { cookie: `__Host-purlin=${token}` })
    return structuredClone((body as { data: { myCoupons: object[] } }).data.myCoupons)
  }
  assert.deepEqual(await listed(), [{ code: 'HELLO', isForFirstOrder: true }])
  const buyer = newBuyer(database)
  const orderId = await draftOrder(buyer, lines)
  must(await place(buyer, orderId))
  await pay(orderId)
  await database.pool.query('update orders.customer_order set owner = $2 where id = $1', [orderId, `c:${id}`])
  assert.deepEqual(await listed(), [])
})
