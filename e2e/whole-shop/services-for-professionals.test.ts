/** Invoices, subscription and financing of a company through their pages, with the shop behind them. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Market } from '@purlin/contract/markets.ts'
import * as invoiceJobs from '@purlin/server/after-sale/invoices/jobs.ts'
import { payOrder, sendAll } from '@purlin/server/after-sale/invoices/testing.ts'
import { runWork } from '@purlin/server/edges/worker/testing.ts'
import { asCommand } from '@purlin/server/foundation/platform/index.ts'
import { publishFiles, readEntryFiles } from '@purlin/server/goods/content/index.ts'
import { testOffer, testProduct } from '@purlin/server/goods/listing/test-shop.ts'
import { companiesIn, draftOrder, must, place, type Colleague } from '@purlin/server/selling/checkout/testing.ts'
import { textOf } from '@purlin/storefront/testing/shop.ts'
import { shopWithVisitors, type VisitorName } from './visitors.ts'

const shop = await shopWithVisitors()
after(() => shop.close())
const { database } = shop
const { pool } = database
await testProduct(database.db, { id: 42, title: 'Angle grinder' })
await testOffer(database.db, { id: 420, productId: 42, sellerId: 2, price: 6_000, stock: 100 })
const { entries } = readEntryFiles(join(import.meta.dirname, '../../demo/content'))
await asCommand(pool, ({ db }) => publishFiles({ db, now: new Date() }, entries))

const { newCompany, join: joinCompany } = companiesIn(database)
const companyWithNetPrices = async () => Object.assign(await newCompany(), { prefersVat: false })
const admin = await joinCompany(await companyWithNetPrices(), 'admin')
const stranger = await joinCompany(await companyWithNetPrices(), 'admin')
const see = async (who: Colleague, path: string) => {
  const { status, headers, body } = await shop.ask('anonymous', 'b2b', path, { cookies: who.cookie })
  return { status, body, location: String(headers['location']), text: textOf(body) }
}
const leads = async (visitor: VisitorName, mode: 'b2c' | 'b2b', path: string) => {
  const { status, headers } = await shop.ask(visitor, mode, path)
  return `${status} ${String(headers['location'])}`
}

const orders: string[] = []
for (const offerId of ['410', '420']) {
  const id = await draftOrder(admin, [{ offerId, quantity: 1 }])
  must(await place(admin, id))
  await payOrder(database, id)
  // Stands for what the marketplace sells to companies itself; of imports it is the supplier for consumers alone (decision 041).
  if (offerId === '420') await pool.query('update orders.seller_order set withheld_vat = 500 where customer_order_id = $1', [id])
  await sendAll(database, id)
  orders.push(id)
}
await runWork(database, invoiceJobs.handlers)
const numbers: string[] = []
for (const id of orders)
  numbers.push(String((await pool.query('select number from invoices.invoice where customer_order_id = $1', [id])).rows[0]?.number))
const [drill = '', grinder = ''] = numbers

test('R-120 R-245 the invoices of a company are found by number, order, year and issuer; those of another company by nothing', async () => {
  const [ofDrill = '', ofGrinder = ''] = orders
  await pool.query('update invoices.invoice set year = 2025, serial = 1 where number = $1', [grinder])
  const found = async (query: string, who = admin) => {
    const { status, text } = await see(who, `/my-invoices${query}`)
    assert.equal(status, 200)
    return numbers.filter((number) => text.includes(number))
  }
  const year = new Date().getFullYear()
  const rows: [query: string, numbers: string[]][] = [
    ['', numbers],
    [`?search=${drill}`, [drill]],
    [`?search=${ofGrinder}`, [grinder]],
    ['?search=nothing-like-it', []],
    ['?year=2025', [grinder]],
    [`?year=${year}`, [drill]],
    ['?filter=seller', [drill]],
    ['?filter=platform', [grinder]],
    [`?search=${ofDrill}&year=2025`, []],
  ]
  for (const [query, expected] of rows) assert.deepEqual((await found(query)).toSorted(), expected.toSorted(), query)
  for (const [query] of rows) assert.deepEqual(await found(query, stranger), [], query)
})

test('R-121 the invoices of one order have a page for its company; for another company, a consumer and a guest there is none', async () => {
  const [ofDrill = ''] = orders
  const path = `/my-invoices/${ofDrill}`
  const own = await see(admin, path)
  assert.equal(own.status, 200)
  assert.ok(own.text.includes(drill) && !own.text.includes(grinder))
  const foreign = await see(stranger, path)
  assert.equal(foreign.status, 404)
  assert.ok(!foreign.body.includes(drill))
  assert.equal((await see(admin, '/my-invoices/P0000000000000000')).status, 404)
  assert.match(await leads('customer', 'b2b', path), /^302 \/pro-account\/signup/)
  assert.match(await leads('anonymous', 'b2b', path), /^302 \/login/)
})

test('R-057 R-090 R-183 R-185 R-199 R-200 pages of professionals lead consumers to the conversion, and strangers of the consumers’ shop to nothing', async () => {
  for (const path of ['/billie', '/financing', '/financing-details', '/buy-again', '/subscription-checkout']) {
    for (const mode of ['b2c', 'b2b'] as const)
      assert.equal(await leads('customer', mode, path), `302 /pro-account/signup?from=${encodeURIComponent(path)}`, mode)
    assert.match(await leads('anonymous', 'b2c', path), /^404 /)
    assert.equal(await leads('anonymous', 'b2b', path), `302 /login?callbackUrl=${encodeURIComponent(path)}`)
    assert.equal((await see(admin, path)).status, 200, path)
  }
})

/** What a month and a year cost, without and with the market's VAT. */
const prices: [market: Market, texts: string[]][] = [
  ['gb', ['£8.90', '£10.68', '£89.00', '£106.80']],
  ['de', ['9,90 €', '11,78 €', '99,00 €', '117,81 €']],
  ['fr', ['9,90 €', '11,88 €', '99,00 €', '118,80 €']],
]
const plain = (body: string) => textOf(body).replaceAll(/\s/g, ' ')

test('R-255 R-256 R-275 a month and a year of the subscription cost what the market’s plans say, on the public page, the choice and the checkout', async () => {
  for (const [market, texts] of prices) {
    const { body } = await shop.ask('anonymous', 'b2b', '/static/subscription', { host: `pro.${market}.localhost:3000` })
    for (const price of texts) assert.ok(plain(body).includes(price), `${market}: ${price} in ${plain(body).slice(0, 1500)}`)
  }
  for (const path of ['/subscription', '/subscription-checkout?period=MONTHLY']) {
    const { text } = await see(admin, path)
    for (const price of prices[0]?.[1] ?? []) assert.ok(text.includes(price), `${path}: ${price} in ${text.slice(0, 1500)}`)
  }
})

test('R-199 R-200 the example of a financing is computed from amount and term, the same on page and API, and the request is kept', async () => {
  const query = '{ financingExample(amount: 12000, months: 36) { total { formatted } instalments { payment { formatted } } } }'
  const { data } = await shop.graphql('member', 'b2b', query)
  assert.ok(data)
  const { total, instalments } = data['financingExample'] as {
    total: { formatted: string }
    instalments: { payment: { formatted: string } }[]
  }
  assert.equal(instalments.length, 36)
  const example = await see(admin, '/financing?amount=12000&months=36')
  for (const said of [total.formatted, instalments[0]?.payment.formatted ?? 'none']) assert.ok(example.text.includes(said), said)
  // An annuity at 7.9 % a year.
  const month = 0.079 / 12
  const payment = (12_000 * month) / (1 - (1 + month) ** -36)
  assert.equal(instalments[0]?.payment.formatted, `£${payment.toFixed(2)}`)
  const details = await see(admin, '/financing-details?amount=12000&months=36')
  assert.equal(details.body.match(/<tr\b/g)?.length, 37)

  const form = { amount: '12000', months: '36', purpose: 'Two heat pumps', phone: '+44 20 7946 0000' }
  const sent = await shop.ask('anonymous', 'b2b', '/financing-details', { cookies: admin.cookie, form })
  assert.equal(sent.status, 303)
  const number = /requested=(\d+)/.exec(String(sent.headers['location']))?.[1] ?? ''
  const { rows } = await pool.query('select amount, months from credit.financing_request where number::text = $1', [number])
  assert.deepEqual(rows, [{ amount: 12_000_00, months: 36 }])
  const refused = await shop.ask('anonymous', 'b2b', '/financing-details', { cookies: admin.cookie, form: { ...form, amount: '5' } })
  assert.equal(refused.status, 422)
})

test('R-153 /klarna says how it works, what it costs and where returns go, in the words of the market', async () => {
  for (const [host, words] of [
    ['gb.localhost:3000', ['Klarna: pay later or in parts']],
    ['fr.localhost:3000', ['Klarna : payer plus tard ou en plusieurs fois']],
    ['de.localhost:3000', ['Klarna: später oder in Raten zahlen', 'So funktioniert es', 'Was es kostet']],
  ] as const) {
    const { status, body } = await shop.ask('anonymous', 'b2c', '/klarna', { host })
    assert.equal(status, 200)
    for (const said of words) assert.ok(plain(body).includes(said), said)
  }
})
