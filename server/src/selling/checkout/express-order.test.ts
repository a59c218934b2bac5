import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { markets, type Market } from '@purlin/contract/markets.ts'
import { keepAddress } from '#addresses'
import { readOrder } from '#orders'
import { readPaymentOfOrder } from '#payments'
import { testDatabase } from '#platform/testing'
import { testGateway, type TestGateway } from '../../edges/gateway/testing.ts'
import { addCompany, addCustomer, addMembership, signIn } from '../../people/accounts/testing.ts'
import { addCoupon, addOffer, addresses, fillShop, newBuyer, stockOf } from './testing.ts'

const database = await testDatabase()
let gateway: TestGateway
before(async () => {
  await fillShop(database)
  for (const id of ['9001', '9002']) await addOffer(database, { id, sellerId: id === '9001' ? 1 : 2 })
  await addCoupon(database, { code: 'TEN' })
  gateway = await testGateway(database.pool)
})

interface Person {
  id: string
  cookie: string
  keeps(market: Market, defaults?: ('delivery' | 'billing')[]): Promise<void>
}
async function customer({ card = true } = {}): Promise<Person> {
  const person = await addCustomer(database.db)
  const { token } = await signIn(database.db, { customerId: person.id })
  if (card) await addCard(person.id)
  return {
    id: person.id,
    cookie: `__Host-purlin=${token}`,
    keeps: async (market, defaults = []) => {
      const input = { ...addresses[market], country: markets[market].country, defaults }
      const kept = await newBuyer(database, { principal: { kind: 'customer', ...person } }).does((scope) => keepAddress(scope, null, input))
      assert.ok(kept.ok)
    },
  }
}
const addCard = (customerId: string, year = 2039) =>
  database.pool.query(
    `insert into payments.saved_card (id, customer_id, provider, reference, brand, last4, expiry_year, expiry_month, is_default, saved_at)
     values ($1, $2, 'embedded', $3, 'visa', '0002', $4, 4, true, now())`,
    [randomUUID(), customerId, `card_${randomUUID()}`, year],
  )
async function ask<Value>({ cookie }: { cookie: string }, document: string): Promise<Value> {
  const { body } = await gateway.post(document, {}, { cookie })
  const { data } = body as { data: { answer: Value } | null }
  assert.ok(data, JSON.stringify(body))
  return data.answer
}
interface Express {
  address: { line1: string }
  card: { last4: string }
}
const offered = (person: { cookie: string }) =>
  ask<Express | null>(person, '{ answer: expressCheckout { address { line1 } card { last4 } } }')
const fill = (person: Person, offerId = '9001') =>
  ask(person, `mutation { answer: addToCart(offerId: "${offerId}", quantity: 1) { refusal { reason } } }`)
interface Placed {
  order: { id: string; state: string } | null
  refusal: { reason: string } | null
}
const buy = (person: { cookie: string }, key: string = randomUUID()) =>
  ask<Placed>(person, `mutation { answer: placeExpressOrder(idempotencyKey: "${key}") { order { id state } refusal { reason } } }`)

test('R-128 R-130 one command places the order of a customer with the preferred address, the delivery of the cart and its coupon', async () => {
  const ann = await customer()
  await ann.keeps('gb')
  await ann.keeps('fr', ['billing'])
  assert.deepEqual(await offered(ann), { address: { line1: addresses.gb.line1 }, card: { last4: '0002' } })
  await fill(ann)
  await fill(ann, '9002')
  await ask(ann, 'mutation { answer: chooseCartDelivery(sellerId: 2, kind: "express") { refusal { reason } } }')
  await ask(ann, 'mutation { answer: applyCoupon(code: "TEN") { refusal { reason } } }')
  const before = await stockOf(database, '9001')
  const { order: placed, refusal } = await buy(ann)
  assert.deepEqual([placed?.state, refusal], ['AWAITING_PAYMENT', null])
  const order = await readOrder(database.db, placed?.id ?? '')
  assert.ok(order)
  assert.deepEqual([order.address.line1, order.address.country, order.billingAddress.country], [addresses.gb.line1, 'GB', 'FR'])
  assert.deepEqual(order.sellerOrders.map(({ sellerId, deliveryKind }) => [sellerId, deliveryKind]).toSorted(), [
    [1, 'standard'],
    [2, 'express'],
  ])
  assert.equal(order.couponCode, 'TEN')
  assert.equal(await stockOf(database, '9001'), before - 1)
  const payment = await readPaymentOfOrder(database.db, order.id)
  assert.deepEqual([payment?.customerId, payment?.amount], [ann.id, order.totals?.total])
})

test('the same click twice, in sequence or concurrently, places one order awaiting payment', async () => {
  const ben = await customer()
  await ben.keeps('gb')
  await fill(ben)
  const key = randomUUID()
  const placed = [...(await Promise.all([buy(ben, key), buy(ben, key)])), await buy(ben, key)]
  assert.equal(new Set(placed.map(({ order }) => order?.id)).size, 1)
  assert.deepEqual(
    placed.map(({ order }) => order?.state),
    ['AWAITING_PAYMENT', 'AWAITING_PAYMENT', 'AWAITING_PAYMENT'],
  )
  const id = placed[0]?.order?.id ?? ''
  assert.equal((await database.pool.query('select 1 from payments.payment where customer_order_id = $1', [id])).rowCount, 1)
})

test('after another purchase the waiting order is placed again with the whole cart, and its stock is held once', async () => {
  const cleo = await customer()
  await cleo.keeps('gb')
  await fill(cleo)
  const stock = await stockOf(database, '9001')
  const first = await buy(cleo)
  await fill(cleo, '9002')
  const second = await buy(cleo)
  assert.deepEqual([second.order?.id, second.order?.state], [first.order?.id, 'AWAITING_PAYMENT'])
  assert.equal(await stockOf(database, '9001'), stock - 1)
  assert.equal((await readOrder(database.db, second.order?.id ?? ''))?.sellerOrders.length, 2)
})

test('nothing is offered at once to a guest, without an address of this country, or without a card that is still good', async () => {
  assert.equal(await offered({ cookie: '' }), null)
  const abroad = await customer()
  await abroad.keeps('fr')
  assert.equal(await offered(abroad), null)
  const cardless = await customer({ card: false })
  await cardless.keeps('gb')
  assert.equal(await offered(cardless), null)
  await addCard(cardless.id, 2020)
  assert.equal(await offered(cardless), null)
})

test('a refusal places nothing and leaves no draft: no address, an empty cart, a changed price, an invalid key', async () => {
  const dora = await customer()
  await fill(dora)
  assert.equal((await buy(dora)).refusal?.reason, 'address-missing')
  await dora.keeps('gb')
  assert.equal((await buy(dora, 'short')).refusal?.reason, 'idempotency-key-missing')
  await database.pool.query(
    'update cart.line set seen_price = seen_price - 100 where cart_id in (select id from cart.cart where owner = $1)',
    [`c:${dora.id}`],
  )
  assert.equal((await buy(dora)).refusal?.reason, 'cart-changed')
  assert.equal((await database.pool.query('select 1 from orders.customer_order where owner = $1', [`c:${dora.id}`])).rowCount, 0)
  const emma = await customer()
  await emma.keeps('gb')
  assert.equal((await buy(emma)).refusal?.reason, 'cart-empty')
  assert.notEqual((await buy({ cookie: '' })).refusal, null)
})

test('a member names the order with the first of two clicks: its budgets are charged, and what the company does not allow places nothing', async () => {
  const [person, company] = [await addCustomer(database.db), await addCompany(database.db)]
  await addMembership(database.db, person.id, company.id, 'buyer')
  const { token } = await signIn(database.db, { customerId: person.id, family: 'b2b', companyId: company.id })
  const principal = { kind: 'member', ...person, role: 'buyer', company: { id: company.id, country: 'GB' } } as const
  const member = newBuyer(database, { principal, mode: 'b2b' })
  const kept = await member.does((scope) => keepAddress(scope, null, { ...addresses.gb, country: 'GB', defaults: [] }))
  assert.ok(kept.ok)
  await addCard(person.id)
  const { rows } = await database.pool.query(
    `insert into companies.cost_centre (id, company_id, code, name) values (gen_random_uuid(), $1, 'C-1', '') returning id`,
    [company.id],
  )
  await database.pool.query('insert into companies.purchasing_rule (company_id, allows_free_cost_centre) values ($1, false)', [company.id])
  const as = { cookie: `__Host-purlin=${token}`, host: 'pro.gb.localhost:3000' }
  const send = async (document: string, variables = {}) => {
    const { body } = await gateway.post(document, variables, as)
    const { data } = body as { data: { answer: Placed } | null }
    assert.ok(data, JSON.stringify(body))
    return data.answer
  }
  const named = (reference: object, key: string = randomUUID()) =>
    send(
      `mutation ($key: String!, $reference: OrderReferenceInput) {
        answer: placeExpressOrder(idempotencyKey: $key, reference: $reference) { order { id state } refusal { reason } } }`,
      { key, reference },
    )
  await send('mutation { answer: addToCart(offerId: "9001", quantity: 1) { refusal { reason } } }')
  assert.equal((await named({ costCentre: 'C-2' })).refusal?.reason, 'cost-centre-unknown')
  const rival = await addCompany(database.db)
  const foreign = await database.pool.query(
    `insert into companies.site (id, company_id, name, address) values (gen_random_uuid(), $1, 'Mill', $2) returning id`,
    [rival.id, JSON.stringify({ ...addresses.gb, country: 'GB' })],
  )
  for (const siteId of [randomUUID(), foreign.rows[0]?.id])
    assert.deepEqual(await named({ siteId }), { order: null, refusal: { reason: 'site-unknown' } })
  const budget = (perOrder: number) =>
    database.pool.query(
      `insert into purchasing.budget (id, company_id, kind, subject_id, currency, per_order, changed_by)
       values (gen_random_uuid(), $1, 'cost-centre', $2, 'GBP', $3, $2) on conflict (company_id, kind, subject_id) do update set per_order = excluded.per_order`,
      [company.id, rows[0]?.id, perOrder],
    )
  await budget(1)
  assert.equal((await named({ costCentre: 'c-1' })).refusal?.reason, 'approval-needed')
  const left = await database.pool.query('select 1 from orders.customer_order where owner = $1', [`c:${person.id}`])
  assert.equal(left.rowCount, 0, 'a refusal leaves no draft')
  await budget(10_000_00)
  const key = randomUUID()
  const placed = await named({ purchaseOrder: ' PO  7 ', costCentre: 'c-1' }, key)
  assert.equal(placed.order?.state, 'AWAITING_PAYMENT')
  assert.equal((await named({ purchaseOrder: 'PO 8' }, key)).refusal?.reason, 'idempotency-key-reused')
  const spend = await database.pool.query(
    `select r.purchase_order, r.cost_centre, s.cost_centre_id as id from purchasing.spend s
       join purchasing.order_reference r using (customer_order_id) where s.customer_order_id = $1`,
    [placed.order?.id],
  )
  assert.deepEqual(spend.rows, [{ purchase_order: 'PO 7', cost_centre: 'C-1', id: rows[0]?.id }])
})
