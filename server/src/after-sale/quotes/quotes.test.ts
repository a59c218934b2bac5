import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { testMember } from '@purlin/contract/testing.ts'
import type { Scope } from '#platform'
import { testDatabase } from '#platform/testing'
import { handlers as quoteHandlers } from './jobs.ts'
import { givePriceList } from '../../goods/conditions/give-price-list.ts'
import { testGateway } from '../../edges/gateway/testing.ts'
import { addCompany, addCustomer, addMembership, signIn } from '../../people/accounts/testing.ts'
import { addOffer, draftOrder, fillShop, must, newBuyer, place } from '../../selling/checkout/testing.ts'
import { reopenOrder } from '../../selling/checkout/reopen-order.ts'
import { addKey, caller } from '../integrations/testing.ts'
import { expireQuotes, followPaidOrder } from './move-quote.ts'

/** A quote from the request to the order, through pages' queries and the seller's API. */

const database = await testDatabase()
const { db, pool } = database
await fillShop(database)
const gateway = await testGateway(pool)
const seller = caller(gateway.url, (await addKey(db, 1)).key)
const another = caller(gateway.url, (await addKey(db, 2)).key)
const host = 'pro.gb.localhost'
await addOffer(database, { id: '6001', price: 1200 })
await addOffer(database, { id: '6002', price: 500 })

type Buyer = Awaited<ReturnType<typeof newMember>>
async function newMember(companyId?: string, role: 'buyer' | 'admin' = 'buyer') {
  const company = companyId ?? (await addCompany(db)).id
  const customer = await addCustomer(db)
  await addMembership(db, customer.id, company, role)
  const { id, token } = await signIn(db, { customerId: customer.id, companyId: company, family: 'b2b' })
  const principal = testMember({ ...customer, role, company: { id: company, country: 'GB' } })
  const overrides: Partial<Scope> = { mode: 'b2b', principal, session: { id }, origin: 'http://pro.gb.localhost:3000' }
  return { cookie: `__Host-purlin=${token}`, host, company, overrides, buyer: newBuyer(database, overrides) }
}
const ask = async (who: { host: string; cookie: string }, query: string, variables: object = {}) => {
  const { body } = await gateway.post(query, variables, who)
  const { data, errors } = body as { data: Record<string, never>; errors?: object }
  assert.equal(errors, undefined, JSON.stringify(errors))
  return data
}
interface Outcome {
  quoteId: string | null
  refusal: { reason: string } | null
}
const request = async (who: Buyer, input: object = {}) =>
  (
    await ask(who, 'mutation ($input: QuoteInput!) { result: requestQuote(input: $input) { quoteId refusal { reason } } }', {
      input: { offerId: '6001', quantity: 10, message: 'For a roof in Leeds', ...input },
    })
  )['result'] as unknown as Outcome
const idOf = ({ overrides }: Buyer) => (overrides.principal as { id: string }).id
const move = async (who: Buyer, name: 'acceptQuote' | 'endQuote', quoteId: string) =>
  (
    (await ask(who, `mutation ($id: ID!) { result: ${name}(quoteId: $id) { refusal { reason } } }`, { id: quoteId }))[
      'result'
    ] as unknown as Outcome
  ).refusal?.reason ?? null
const see = async (who: Buyer, quoteId: string) =>
  (await ask(who, 'query ($id: ID!) { quote(quoteId: $id) { state total { amount } delivery { amount } orderId } }', { id: quoteId }))[
    'quote'
  ] as unknown as { state: string; total: { amount: number } | null; orderId: string | null } | null
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const answer = (quoteId: string, more: object = {}) =>
  seller('POST', `/quotes/${quoteId}/answer`, { lines: [{ offerId: '6001', price: 900 }], delivery: 250, validUntil: inDays(14), ...more })
const cart = async (who: Buyer) =>
  (
    await ask(
      who,
      '{ cart { sellers { delivery { amount } lines { offerId quantity state totalWithVat { amount } } } totals { totalWithVat { amount } } } }',
    )
  )['cart'] as unknown as { sellers: { delivery: { amount: number }; lines: object[] }[]; totals: { totalWithVat: { amount: number } } }

async function answered(who: Buyer): Promise<string> {
  const { quoteId } = await request(who)
  assert.equal((await answer(quoteId ?? '')).status, 200)
  return quoteId ?? ''
}

test('a member requests a quote, the seller answers, the member gets a mail, accepts, and orders at exactly the quoted prices and delivery', async () => {
  const buyer = await newMember()
  const { quoteId, refusal } = await request(buyer)
  assert.ok(quoteId && !refusal)
  const listed = (await seller('GET', '/quotes')).body as {
    quotes: { id: string; companyId: string; lines: { quantity: number; listPrice: number }[] }[]
  }
  const seen = listed.quotes.find(({ id }) => id === quoteId)
  assert.deepEqual([seen?.companyId, seen?.lines[0]?.quantity, seen?.lines[0]?.listPrice], [buyer.company, 10, 1200])
  assert.equal((await answer(quoteId)).status, 200)
  const { rows: mails } = await pool.query(`select subject from mail.mail where key = $1`, [`quote:${quoteId}:answered`])
  assert.equal(mails.length, 1)
  const shown = await see(buyer, quoteId)
  assert.deepEqual([shown?.state, shown?.total?.amount], ['ANSWERED', 9250])
  assert.equal(await move(buyer, 'acceptQuote', quoteId), null)
  const { sellers, totals } = await cart(buyer)
  assert.deepEqual(sellers[0]?.lines, [{ offerId: '6001', quantity: 10, state: 'OK', totalWithVat: { amount: 9000 } }])
  assert.deepEqual([sellers[0]?.delivery.amount, totals.totalWithVat.amount], [250, 9250])
  const order = await draftOrder(buyer.buyer, [])
  must(await place(buyer.buyer, order))
  const { rows } = await pool.query('select total, goods, delivery from orders.seller_order where customer_order_id = $1', [order])
  assert.deepEqual(rows, [{ total: 9250, goods: 9000, delivery: 250 }])
  assert.ok(quoteHandlers.length > 0)
  await database.command({}, (scope) => followPaidOrder(scope, { customerOrderId: order, market: 'gb', mode: 'b2b' }))
  const done = await see(buyer, quoteId)
  assert.deepEqual([done?.state, done?.orderId], ['ORDERED', order])
})

test('prices quoted to a company stay with it: its former member pays what everybody pays in another company', async () => {
  const buyer = await newMember()
  await move(buyer, 'acceptQuote', await answered(buyer))
  const totalOf = async () => (await cart(buyer)).totals.totalWithVat.amount
  assert.equal(await totalOf(), 9250)
  const customer = (buyer.overrides.principal as { id: string }).id
  const next = await addCompany(db)
  await pool.query('update accounts.membership set ended_at = now() where customer_id = $1', [customer])
  await addMembership(db, customer, next.id, 'buyer')
  await pool.query('update accounts.session set company_id = $2 where customer_id = $1', [customer, next.id])
  // Above the threshold of the seller delivery is free.
  assert.equal(await totalOf(), 12_000)
})

test('another quantity costs what it would without the quote, and the quoted price comes back with its quantity', async () => {
  const buyer = await newMember()
  await move(buyer, 'acceptQuote', await answered(buyer))
  const totalOf = async (quantity: number) => {
    await ask(buyer, 'mutation ($n: Int!) { setCartQuantity(offerId: "6001", quantity: $n) { refusal { reason } } }', { n: quantity })
    return (await cart(buyer)).totals.totalWithVat.amount
  }
  assert.equal(await totalOf(11), 11 * 1200)
  assert.equal(await totalOf(9), 9 * 1200)
  assert.equal(await totalOf(10), 9250)
})

test('accepted twice at once, a quote is in one cart once and becomes one order', async () => {
  const buyer = await newMember()
  const quoteId = await answered(buyer)
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => move(buyer, 'acceptQuote', quoteId)))
  assert.equal(outcomes.filter((reason) => reason === null).length, 1)
  assert.deepEqual(new Set(outcomes.filter((reason) => reason !== null)), new Set(['quote-not-open']))
  assert.equal((await cart(buyer)).totals.totalWithVat.amount, 9250)
  const order = await draftOrder(buyer.buyer, [])
  const placed = await Promise.all(Array.from({ length: 4 }, () => place(buyer.buyer, order)))
  assert.ok(placed.some(({ ok }) => ok))
  const { rows } = await pool.query(
    `select count(distinct s.customer_order_id)::int as orders from orders.seller_order s join orders.order_line l on l.seller_order_id = s.id
     where l.unit_price = 900 and s.customer_order_id = $1`,
    [order],
  )
  assert.deepEqual(rows, [{ orders: 1 }])
  // The same goods again cost what they cost everybody.
  await database.command(buyer.overrides, async (scope) => (await import('#cart')).addToCart(scope, { offerId: '6001', quantity: 10 }))
  assert.ok((await cart(buyer)).totals.totalWithVat.amount >= 12_000)
})

test('an order that is opened again gives the quote back to its buyer', async () => {
  const buyer = await newMember()
  await move(buyer, 'acceptQuote', await answered(buyer))
  const order = await draftOrder(buyer.buyer, [])
  must(await place(buyer.buyer, order))
  must(await buyer.buyer.does((scope) => reopenOrder(scope, order)))
  assert.equal((await cart(buyer)).totals.totalWithVat.amount, 9250)
})

test('refused, withdrawn, declined and expired quotes cannot be accepted, nor answered again', async () => {
  const buyer = await newMember()
  const ends: Record<string, (id: string) => Promise<unknown>> = {
    REFUSED: (id) => seller('POST', `/quotes/${id}/refuse`, { note: 'Out of stock until spring' }),
    WITHDRAWN: (id) => move(buyer, 'endQuote', id),
    EXPIRED: (id) => database.command({ now: new Date(Date.now() + 8 * 86_400_000) }, expireQuotes).then(() => id),
  }
  for (const [state, end] of Object.entries(ends)) {
    const { quoteId } = await request(buyer)
    await end(quoteId ?? '')
    assert.equal((await see(buyer, quoteId ?? ''))?.state, state)
    assert.equal(await move(buyer, 'acceptQuote', quoteId ?? ''), 'quote-not-open', state)
    assert.equal((await answer(quoteId ?? '')).body['code'], 'quote-not-open', state)
  }
  const declined = await answered(buyer)
  assert.equal(await move(buyer, 'endQuote', declined), null)
  assert.equal(await move(buyer, 'acceptQuote', declined), 'quote-not-open')
})

test('after its validity an accepted quote is a quote no longer: the cart asks to confirm the price of the shop', async () => {
  const buyer = await newMember()
  const quoteId = await answered(buyer)
  await move(buyer, 'acceptQuote', quoteId)
  await pool.query(`update conditions.quoted_price set valid_until = now() - interval '1 second' where quote_id = $1`, [quoteId])
  const { sellers } = await cart(buyer)
  const [line] = (sellers[0]?.lines ?? []) as { state: string }[]
  assert.equal(line?.state, 'PRICE_CHANGED')
})

test('another company’s quote is unknown, a colleague may read one and not accept it; another seller can neither read nor answer', async () => {
  const buyer = await newMember()
  const quoteId = await answered(buyer)
  const colleague = await newMember(buyer.company)
  const stranger = await newMember()
  assert.equal((await see(colleague, quoteId))?.state, 'ANSWERED')
  assert.equal(await move(colleague, 'acceptQuote', quoteId), 'unknown-quote')
  assert.equal(await see(stranger, quoteId), null)
  assert.equal(await move(stranger, 'endQuote', quoteId), 'unknown-quote')
  assert.equal((await another('GET', `/quotes/${quoteId}`)).status, 404)
  assert.equal((await another('POST', `/quotes/${quoteId}/refuse`, {})).status, 404)
  assert.equal((await seller('GET', `/quotes/${randomUUID()}`)).status, 404)
})

test('an answer prices every line once, within ninety days; a request names something that is sold', async () => {
  const buyer = await newMember()
  const { quoteId } = await request(buyer)
  const codeOf = async (more: object) => (await answer(quoteId ?? '', more)).body['code']
  assert.equal(await codeOf({ lines: [{ offerId: '6002', price: 900 }] }), 'lines-invalid')
  assert.equal(await codeOf({ validUntil: inDays(-1) }), 'validity-invalid')
  assert.equal(await codeOf({ validUntil: inDays(120) }), 'validity-invalid')
  assert.equal((await request(buyer, { offerId: '999999' })).refusal?.reason, 'nothing-to-quote')
  assert.equal((await request(buyer, { wantedOn: '2020-01-01' })).refusal?.reason, 'day-invalid')
})

test('a former member hears nothing of their quote: the admins get the mail, and one of them accepts it, or takes it over from the cart it was in', async () => {
  const buyer = await newMember()
  const admin = await newMember(buyer.company, 'admin')
  const leave = async (who: Buyer) => pool.query('update accounts.membership set ended_at = now() where customer_id = $1', [idOf(who)])
  const { quoteId } = await request(buyer)
  const held = await answered(buyer)
  assert.equal(await move(buyer, 'acceptQuote', held), null)
  assert.equal(await move(admin, 'acceptQuote', held), 'quote-not-open', 'it is in a member’s cart')
  await leave(buyer)
  assert.equal((await answer(quoteId ?? '')).status, 200)
  const { rows } = await pool.query('select recipient from mail.mail where key like $1', [`quote:${quoteId}:answered%`])
  assert.deepEqual(rows, [{ recipient: (admin.overrides.principal as { email: string }).email }])
  const seen = async (id: string) =>
    (await ask(admin, 'query ($id: ID!) { quote(quoteId: $id) { requestedBy canAccept canEnd isInYourCart } }', { id }))['quote'] as unknown
  assert.deepEqual(await seen(held), { requestedBy: null, canAccept: true, canEnd: false, isInYourCart: false })
  assert.deepEqual(await seen(quoteId ?? ''), { requestedBy: null, canAccept: true, canEnd: true, isInYourCart: false })
  assert.equal(await move(admin, 'acceptQuote', held), null)
  assert.deepEqual(await seen(held), { requestedBy: null, canAccept: false, canEnd: false, isInYourCart: true })
  assert.equal((await cart(admin)).totals.totalWithVat.amount, 9250)
  must(await place(admin.buyer, await draftOrder(admin.buyer, [])))
  assert.equal(await move(admin, 'acceptQuote', quoteId ?? ''), null)
  assert.equal((await cart(admin)).totals.totalWithVat.amount, 9250)
})

test('a quote is compared with what the company pays without it, shows saving, net and VAT, and is requested again once it is over', async () => {
  const buyer = await newMember()
  const rules = [{ productId: '6001', categoryId: null, price: 1000, percentBp: null }]
  const list = {
    market: 'gb',
    name: 'Own',
    validFrom: null,
    validTo: null,
    companies: [{ companyId: buyer.company }],
    groups: [],
    rules,
  } as const
  must(await database.command({}, (scope) => givePriceList(scope, 1, list)))
  const quoteId = await answered(buyer)
  const figures =
    'lines { quantity listPrice { amount } price { amount } } saving { amount } totalWithoutVat { amount } vat { amount } totalWithVat { amount }'
  const { quote } = await ask(buyer, `query ($id: ID!) { quote(quoteId: $id) { ${figures} } }`, { id: quoteId })
  const [listPrice, price] = [1000, 900].map((amount) => ({ amount }))
  assert.deepEqual(quote, {
    lines: [{ quantity: 10, listPrice, price }],
    saving: { amount: 1000 },
    totalWithoutVat: { amount: 7708 },
    vat: { amount: 1542 },
    totalWithVat: { amount: 9250 },
  })
  assert.equal(await move(buyer, 'endQuote', quoteId), null)
  const again = await request(buyer, { offerId: null, quantity: null, quoteId })
  const { quote: next } = await ask(buyer, 'query ($id: ID!) { quote(quoteId: $id) { state lines { offerId quantity } } }', {
    id: again.quoteId,
  })
  assert.deepEqual(next, { state: 'REQUESTED', lines: [{ offerId: '6001', quantity: 10 }] })
  const stranger = await newMember()
  assert.equal((await request(stranger, { offerId: null, quantity: null, quoteId })).refusal?.reason, 'nothing-to-quote')
})

test('of more than fifty quotes each is on one page, with the number of pages; those that are answered are counted and listed alone', async () => {
  const [buyer, stranger] = [await newMember(), await newMember()]
  const first = await answered(buyer)
  const { rows } = await pool.query<{ id: string }>(
    `insert into quotes.quote (id, number, seller_id, market, origin, company_id, customer_id, email, state, message, answer_by, created_at)
     select gen_random_uuid(), 'QX' || n, seller_id, market, origin, company_id, customer_id, email, 'refused', '', answer_by, created_at + n * interval '1 minute'
     from quotes.quote, generate_series(1, 120) n where id = $1 returning id`,
    [first],
  )
  await pool.query(
    `insert into quotes.line (quote_id, position, offer_id, title, url, quantity, list_price, vat_rate_bp)
     select q.id, l.position, l.offer_id, l.title, l.url, l.quantity, l.list_price, l.vat_rate_bp from quotes.line l, quotes.quote q
     where l.quote_id = $1 and q.id = any($2::uuid[])`,
    [first, rows.map(({ id }) => id)],
  )
  const list = async (who: Buyer, args: string) =>
    ((await ask(who, `{ myQuotes(${args}) { id } }`))['myQuotes'] as unknown as { id: string }[]).map(({ id }) => id)
  const count = async (who: Buyer, args = '') => (await ask(who, `{ myQuoteCount${args} { total pages } }`))['myQuoteCount'] as unknown
  const pages = await Promise.all([1, 2, 3, 4].map((page) => list(buyer, `page: ${page}`)))
  assert.deepEqual(
    pages.map(({ length }) => length),
    [50, 50, 21, 0],
  )
  assert.deepEqual([new Set(pages.flat()).size, pages[2]?.at(-1)], [121, first])
  assert.deepEqual(await count(buyer), { total: 121, pages: 3 })
  assert.deepEqual([await list(buyer, 'state: ANSWERED'), await count(buyer, '(state: ANSWERED)')], [[first], { total: 1, pages: 1 }])
  assert.deepEqual([await list(stranger, 'page: 1'), await count(stranger)], [[], { total: 0, pages: 1 }])
  for (const page of [0, -1, 2_000_000_000]) assert.deepEqual(await list(buyer, `page: ${page}`), [])
})
