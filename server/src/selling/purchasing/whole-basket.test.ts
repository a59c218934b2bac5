import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { givePriceList, writeQuotedPrices } from '#conditions'
import { newId } from '#platform'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { addOffer, companiesIn, fillShop, must, type Colleague } from '../checkout/testing.ts'
import { addSecondOffer, addSecondSeller } from './testing.ts'

/** Sellers are chosen for everything that is bought, as the cart charges it: delivery once per seller, quotes as a whole, what it holds already. */

const database = await testDatabase()
const { pool, db } = database
const { newCompany, join } = companiesIn(database)
const host = 'pro.gb.localhost:3000'
const delivery = (fee: number) => [{ kind: 'standard' as const, fee, daysMin: 2, daysMax: 4 }]

await fillShop(database)
await addSecondSeller(database, {})
await pool.query(
  `update sellers.seller set free_delivery_from = case id when 1 then '{"gb": 12000}'::jsonb else '{}' end where id in (1, 4)`,
)

/** An offer of seller 1, and one of seller 4 whose id is the product's with a 2 before it. */
async function sold(id: string, [price, fee]: [price: number, fee: number], [otherPrice, otherFee]: [price: number, fee: number]) {
  await addOffer(database, { id, price, stock: 1000, delivery: delivery(fee) })
  await addSecondOffer(database, id, { price: otherPrice, stock: 1000, delivery: delivery(otherFee) })
}
const small = Array.from({ length: 12 }, (_, at) => String(701 + at))
for (const id of small) await sold(id, [10_00, 9_90], [10_00, 4_90])
for (const id of ['801', '802']) await sold(id, [100_00, 4_90], [99_00, 4_90])
await pool.query(`update catalogue.offer set quantity_breaks = '[{"group": "b2b", "from": 10, "price": 6000}]' where id = 2802`)
const gateway = await testGateway(pool)
beforeEach(() => pool.query('update catalogue.offer set max_quantity = null'))

async function ask<Value>({ cookie }: { cookie: string }, document: string, variables: object = {}): Promise<Value> {
  const { body } = await gateway.post(document, variables, { cookie, host })
  const { data, errors } = body as { data: { answer: Value } | null; errors?: unknown }
  assert.ok(data && !errors, JSON.stringify(body))
  return structuredClone(data.answer)
}
/** A buyer with whose company seller 1 has agreed a price for these products. */
async function withContract(productIds: readonly string[], price: number): Promise<Colleague> {
  const company = await newCompany()
  const list = {
    name: 'Contract',
    market: 'gb',
    validFrom: null,
    validTo: null,
    companies: [{ companyId: company.id }],
    groups: [],
  } as const
  const rules = productIds.map((productId) => ({ productId, categoryId: null, price, percentBp: null }))
  if (rules.length > 0) must(await database.command({}, (scope) => givePriceList(scope, 1, { ...list, rules })))
  return join(company, 'buyer')
}
/** Seller 4 has quoted 50.00 for ten pieces of each of these products. */
const quote = ({ principal }: Colleague, fee: number, ...productIds: string[]) =>
  writeQuotedPrices(db, {
    quoteId: newId(),
    customerId: principal.id,
    companyId: principal.company.id,
    market: 'gb',
    delivery: fee,
    validUntil: new Date(Date.now() + 86_400_000),
    sellerId: 4,
    lines: productIds.map((id) => ({ offerId: `2${id}`, quantity: 10, price: 50_00 })),
  })

type Row = readonly [productId: string, quantity: number]
const rowsOf = (rows: readonly Row[]) => rows.map(([id, quantity]) => ({ code: `E${id}`, quantity: String(quantity) }))
interface Checked {
  total: { amount: number }
  rows: { offerId: string; total: { amount: number } | null; problem: { reason: string } | null }[]
}
async function check(who: Colleague, ...rows: Row[]) {
  const query =
    'query ($rows: [OrderRowInput!]!) { answer: quickOrder(rows: $rows) { total { amount } rows { offerId total { amount } problem { reason } } } }'
  const checked = await ask<Checked>(who, query, { rows: rowsOf(rows) })
  return checked.rows.map(({ offerId, total, problem }) => [offerId, problem?.reason ?? total?.amount])
}
async function add(who: Colleague, ...rows: Row[]): Promise<number> {
  const mutation = 'mutation ($rows: [OrderRowInput!]!) { answer: addQuickOrder(rows: $rows) { added } }'
  return (await ask<{ added: number }>(who, mutation, { rows: rowsOf(rows) })).added
}
interface Told {
  sellers: { delivery: { amount: number }; lines: { offerId: string; quantity: number; state: string; total: { amount: number } }[] }[]
  totals: { totalWithVat: { amount: number } }
}
/** Its lines, and all that it costs. */
async function cartOf(who: Colleague) {
  const { sellers, totals } = await ask<Told>(
    who,
    '{ answer: cart { sellers { delivery { amount } lines { offerId quantity state total { amount } } } totals { totalWithVat { amount } } } }',
  )
  const lines = sellers.flatMap((group) => group.lines.map((line) => [line.offerId, line.quantity, line.total.amount, line.state]))
  return { lines, total: totals.totalWithVat.amount }
}

test('delivery counts once per seller: many small rows are bought where the company has a contract, one of them alone is not', async () => {
  const eight = small.slice(0, 8)
  const buyer = await withContract(small, 8_00)
  assert.deepEqual(await check(buyer, ['701', 1]), [['2701', 10_00]], '14.90 instead of 17.90')
  assert.deepEqual(
    await check(buyer, ...eight.map((id): Row => [id, 1])),
    eight.map((id) => [id, 8_00]),
  )
  assert.equal(await add(buyer, ...eight.map((id): Row => [id, 1])), 8)
  assert.equal((await cartOf(buyer)).total, 8 * 8_00 + 9_90)
})

test('the free-delivery threshold of a seller counts for everything bought there, the cart included', async () => {
  const buyer = await withContract(['801'], 98_00)
  // The other row pays for the delivery of seller 4, and seller 1 delivers for free from 120.00 on.
  assert.deepEqual(await check(buyer, ['801', 1], ['701', 1]), [
    ['2801', 99_00],
    ['2701', 10_00],
  ])
  await ask(buyer, 'mutation { answer: addToCart(offerId: "702", quantity: 3) { refusal { reason } } }')
  await add(buyer, ['801', 1])
  assert.deepEqual(await cartOf(buyer), {
    lines: [
      ['702', 3, 30_00, 'OK'],
      ['801', 1, 98_00, 'OK'],
    ],
    total: 128_00,
  })
})

test('a seller whose delivery is paid already is the better one for the next row', async () => {
  const buyer = await withContract(small, 8_00)
  await ask(buyer, 'mutation { answer: addToCart(offerId: "702", quantity: 1) { refusal { reason } } }')
  assert.deepEqual(await check(buyer, ['701', 1]), [['701', 8_00]])
})

test('a quote with dear delivery loses against a contract', async () => {
  const buyer = await withContract(['801'], 70_00)
  await quote(buyer, 480_00, '801')
  assert.deepEqual(await check(buyer, ['801', 10]), [['801', 700_00]])
  await add(buyer, ['801', 10])
  assert.equal((await cartOf(buyer)).total, 700_00)
})

test('a quote that the cart does not apply is no price of the quick order either, and no price changes by adding its quantity', async () => {
  const buyer = await withContract([], 0)
  await quote(buyer, 600_00, '801')
  assert.deepEqual(await check(buyer, ['801', 10]), [['2801', 990_00]])
  const inCart = { lines: [['2801', 10, 990_00, 'OK']], total: 994_90 }
  await add(buyer, ['801', 10])
  assert.deepEqual(await cartOf(buyer), inCart)
  await pool.query('delete from cart.line')
  await ask(buyer, 'mutation { answer: addToCart(offerId: "2801", quantity: 10) { refusal { reason } } }')
  assert.deepEqual(await cartOf(buyer), inCart, 'from the page of the product')
  await ask(buyer, 'mutation { answer: setCartQuantity(offerId: "2801", quantity: 9) { refusal { reason } } }')
  assert.deepEqual((await cartOf(buyer)).lines, [['2801', 9, 891_00, 'OK']])
})

test('a quote that begins to apply because of another line leaves no price to confirm, in any quantity', async () => {
  const buyer = await withContract([], 0)
  await quote(buyer, 600_00, '802')
  await add(buyer, ['802', 10])
  assert.deepEqual((await cartOf(buyer)).lines[0], ['2802', 10, 600_00, 'OK'])
  // Its delivery is that of the quote alone.
  await ask(buyer, 'mutation { answer: addToCart(offerId: "2701", quantity: 1) { refusal { reason } } }')
  assert.deepEqual((await cartOf(buyer)).lines[0], ['2802', 10, 500_00, 'OK'])
  await ask(buyer, 'mutation { answer: setCartQuantity(offerId: "2802", quantity: 9) { refusal { reason } } }')
  assert.deepEqual((await cartOf(buyer)).lines[0], ['2802', 9, 891_00, 'OK'])
})

test('a quote applies where its cheap delivery pays for dearer goods, and quick order shows its price', async () => {
  const buyer = await withContract([], 0)
  await pool.query(`update catalogue.offer set delivery = $1 where id = 2801`, [JSON.stringify(delivery(600_00))])
  try {
    await pool.query(`update catalogue.offer set status = 'paused' where id = 801`)
    await quote(buyer, 0, '801')
    await pool.query('update conditions.quoted_price set price = 10000 where customer_id = $1', [buyer.principal.id])
    assert.deepEqual(await check(buyer, ['801', 10]), [['2801', 1000_00]])
    await add(buyer, ['801', 10])
    assert.deepEqual(await cartOf(buyer), { lines: [['2801', 10, 1000_00, 'OK']], total: 1000_00 })
  } finally {
    await pool.query(`update catalogue.offer set status = 'active', delivery = $1 where id in (801, 2801)`, [
      JSON.stringify(delivery(4_90)),
    ])
  }
})

test('a quote for several products is chosen for all of them or none', async () => {
  const buyer = await withContract(['801', '802'], 55_00)
  await quote(buyer, 4_90, '801', '802')
  assert.deepEqual(await check(buyer, ['801', 10], ['802', 10]), [
    ['2801', 500_00],
    ['2802', 500_00],
  ])
  assert.deepEqual(await check(buyer, ['801', 10], ['802', 9]), [
    ['801', 550_00],
    ['802', 495_00],
  ])
})

test('a subscriber’s free delivery leaves the price of the goods to decide', async () => {
  const buyer = await withContract(['701'], 8_00)
  assert.deepEqual(await check(buyer, ['701', 1]), [['2701', 10_00]])
  await pool.query(
    `insert into subscriptions.subscription (id, company_id, customer_id, market, origin, state, period, has_trial, created_at, paid_until)
     values ($1, $2, $3, 'gb', 'http://pro.gb.localhost:3000', 'active', 'monthly', false, now(), now() + interval '20 days')`,
    [newId(), buyer.principal.company.id, buyer.principal.id],
  )
  assert.deepEqual(await check(buyer, ['701', 1]), [['701', 8_00]])
})

test('pieces that the cart holds count towards a maximum: another seller has the next ones, and without one the row is refused at once', async () => {
  await pool.query('update catalogue.offer set max_quantity = 5 where id = 801')
  const buyer = await withContract(['801'], 70_00)
  assert.equal(await add(buyer, ['801', 5]), 1)
  assert.deepEqual(await check(buyer, ['801', 5]), [['2801', 495_00]])
  assert.equal(await add(buyer, ['801', 5]), 1)
  await pool.query('update catalogue.offer set max_quantity = 5 where id = 2801')
  assert.deepEqual(await check(buyer, ['801', 5]), [['2801', 'quantity-too-large']])
  assert.equal(await add(buyer, ['801', 5]), 0)
})

test('pieces that the cart holds count towards a quantity break, in the choice and in the price shown', async () => {
  const buyer = await withContract(['802'], 70_00)
  await ask(buyer, 'mutation { answer: addToCart(offerId: "2802", quantity: 6) { refusal { reason } } }')
  assert.deepEqual(await check(buyer, ['802', 3]), [['802', 210_00]])
  assert.deepEqual(await check(buyer, ['802', 4]), [['2802', 240_00]])
  await add(buyer, ['802', 4])
  assert.deepEqual(await cartOf(buyer), { lines: [['2802', 10, 600_00, 'OK']], total: 604_90 })
})

test('goods for which the cart has no room pay for nobody’s delivery', async () => {
  const buyer = await withContract(small, 8_00)
  await pool.query('delete from cart.line')
  await ask(buyer, 'mutation { answer: addToCart(offerId: "2801", quantity: 1) { refusal { reason } } }')
  // 299 lines of offers that are gone.
  await pool.query(`insert into cart.line (cart_id, offer_id, quantity, seen_price)
    select cart_id, gone.id, 1, 1000 from cart.line, generate_series(1000001, 1000299) gone (id) where offer_id = 2801`)
  await pool.query('delete from cart.line where offer_id = 2801')
  const eight = small.slice(0, 8)
  assert.deepEqual(
    await check(buyer, ...eight.map((id): Row => [id, 1])),
    eight.map((id, at) => (at === 0 ? ['2701', 10_00] : [`2${id}`, 'cart-too-large'])),
  )
})
