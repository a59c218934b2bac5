/** One price in list, product page, cart, order, invoice and the form of a purchasing system; and professionals' prices nowhere on the consumers' storefront. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { marketCodes, markets, type Mode } from '@purlin/contract/markets.ts'
import { testMember } from '@purlin/contract/testing.ts'
import type { InvoiceDocument } from '@purlin/server/after-sale/invoices/invoice.ts'
import * as invoiceJobs from '@purlin/server/after-sale/invoices/jobs.ts'
import { payOrder, sendAll } from '@purlin/server/after-sale/invoices/testing.ts'
import { runWork } from '@purlin/server/edges/worker/testing.ts'
import { newId } from '@purlin/server/foundation/platform/index.ts'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { setQuantityBreaks } from '@purlin/server/goods/catalogue/set-quantity-breaks.ts'
import { createCompanyGroup, givePriceList, writeQuotedPrices } from '@purlin/server/goods/conditions/index.ts'
import { testOffer, testProduct, testReference } from '@purlin/server/goods/listing/test-shop.ts'
import { showMoney } from '@purlin/server/goods/pricing/index.ts'
import { addCompany, addCustomer, addMembership, signIn } from '@purlin/server/people/accounts/testing.ts'
import { draftOrder, must, newBuyer, place, type Buyer } from '@purlin/server/selling/checkout/testing.ts'
import { applySetup } from '@purlin/server/selling/subscriptions/set-up-card.ts'
import { startSubscription } from '@purlin/server/selling/subscriptions/start-subscription.ts'
import type { YourPriceFragment } from '@purlin/storefront/generated/documents.ts'
import type { ShopContext } from '@purlin/storefront/shell/context.ts'
import { structuredData, textOf } from '@purlin/storefront/testing/shop.ts'
import {
  anyCase,
  charged,
  deliveryOf,
  inMode,
  netOf,
  piecePrice,
  quoteOf,
  rateOf,
  table,
  treatmentOf,
  type PricedCase,
} from './priced-cases.ts'
import { ownPricesInBrowser } from '../support/own-prices-in-browser.ts'
import { breaksOn, plain, priceBelow, pricesOn } from './prices-on-pages.ts'
import { punchOutProtocols, takeBack } from './punch-out-basket.ts'
import { serveShop, type ShopPages } from './serve-shop.ts'

const seed = Number(process.env['SEED'] ?? 20_261_123)
const generated = Number(process.env['CASES'] ?? 60)
const cases = [...table, ...fc.sample(anyCase, { seed, numRuns: generated })].map((of, index) => ({ of, id: 7000 + index }))
const modeOf = ({ group }: PricedCase): Mode => (group === 'consumer' ? 'b2c' : 'b2b')
const hostOf = (mode: Mode, market: string) => `${mode === 'b2b' ? 'pro.' : ''}${market}.localhost:3000`
const told = (of: PricedCase, amount: number): string => showMoney(of.market, amount).formatted

const database = await testDatabase()
const { db, pool } = database
await testReference(db)
for (const { of, id } of cases) await offer(of, id)

/** The planted mistake: a page of the consumers' storefront with a price for professionals. */
const planted = { price: '' }
function change(pages: ShopPages): ShopPages {
  const home = pages['./home/home-page.tsx']
  assert.ok(home?.load)
  const { load } = home
  const leaking = async (context: ShopContext) => {
    const loaded = await load(context)
    return 'outcome' in loaded ? loaded : { ...loaded, title: loaded.title + planted.price }
  }
  return { ...pages, './home/home-page.tsx': { ...home, load: leaking } }
}
const shop = await serveShop(database, { change })
const ownPrices = await ownPricesInBrowser()
after(() => Promise.all([shop.close(), ownPrices.close()]))

async function offer({ market, seller, isSolar, price, proPrice, breaks }: PricedCase, id: number): Promise<void> {
  await testProduct(db, { id, title: `Qv${id} tool`, categoryId: isSolar ? 2257 : 11 })
  await testOffer(db, { id: id * 10, productId: id, sellerId: seller, market, price, proPrice, stock: 500 })
  const set = { market, offerId: String(id * 10), sellerId: seller, breaks }
  must(await database.command({}, (scope) => setQuantityBreaks(scope, set)))
}

interface Visitor {
  buyer: Buyer
  cookie: string
}

/** The buyer of a case with a session, in a company with price lists, VAT number and subscription as the case has them. */
async function visitorOf(of: PricedCase, id: number): Promise<Visitor> {
  const { market, group, prefersVat } = of
  const mode = modeOf(of)
  const site = { market, mode, prefersVat }
  const chosen = prefersVat ? '; mm_vat_display=with' : ''
  if (group !== 'member') {
    const session = await signIn(db, { family: mode })
    const buyer = newBuyer(database, {
      ...site,
      principal: { kind: 'guest', id: session.id, email: `guest${id}@example.com` },
      session: { id: session.id },
    })
    return { buyer, cookie: `__Host-purlin=${session.token}${chosen}` }
  }
  const { country } = markets[of.companyFrom]
  // Companies have different numbers: trials are counted by number.
  const vatNumber = `${country}${123456789 + id}`
  const company = await addCompany(db, { country, vatNumber })
  const customer = await addCustomer(db, { market })
  await addMembership(db, customer.id, company.id, 'admin')
  const number = of.isConfirmed ? vatNumber : null
  await pool.query(
    `insert into tax.record (owner, legal_name, line1, postcode, city, country, vat_number, vat_state)
     values ($1, 'Lee Building Ltd', '1 High Street', '10115', 'Berlin', $2, $3, case when $3::text is not null then 'valid' end)`,
    [`company:${company.id}`, country, number],
  )
  const buyer = newBuyer(database, { ...site, principal: testMember({ ...customer, role: 'admin', company }), session: null })
  await agree(of, id, company.id)
  await quote(of, id, { customerId: customer.id, companyId: company.id })
  if (of.isSubscribed) await subscribe(buyer, company.id)
  const { token } = await signIn(db, { customerId: customer.id, companyId: company.id, family: 'b2b' })
  return { buyer, cookie: `__Host-purlin=${token}${chosen}` }
}

async function agree({ market, seller, isSolar, rules }: PricedCase, id: number, companyId: string): Promise<void> {
  for (const [index, { on, to, by }] of rules.entries()) {
    const companies = [{ companyId }]
    const group =
      to === 'group' ? must(await database.command({}, (s) => createCompanyGroup(s, seller, { name: `${id} ${index}`, companies }))) : null
    const rule = { productId: on === 'product' ? String(id) : null, categoryId: on === 'category' ? (isSolar ? 2257 : 11) : null, ...by }
    const holders = group ? { companies: [], groups: [group.id] } : { companies, groups: [] }
    const list = { market, name: `${id}`, validFrom: null, validTo: null, ...holders, rules: [rule] }
    must(await database.command({}, (scope) => givePriceList(scope, seller, list)))
  }
}

/** The member has accepted a quote for exactly the quantity of the case. */
async function quote(of: PricedCase, id: number, to: { customerId: string; companyId: string }): Promise<void> {
  const quoted = quoteOf(of)
  if (!quoted) return
  const { market, seller, quantity } = of
  const lines = [{ offerId: String(id * 10), quantity, price: quoted.price }]
  const validUntil = new Date(Date.now() + 86_400_000)
  await writeQuotedPrices(db, { ...to, quoteId: newId(), sellerId: seller, market, delivery: quoted.delivery, validUntil, lines })
}

async function subscribe(buyer: Buyer, companyId: string): Promise<void> {
  must(await buyer.does((scope) => startSubscription(scope, 'monthly')))
  const { rows } = await pool.query<{ id: string }>(
    'select u.id from subscriptions.setup u join subscriptions.subscription s on s.id = u.subscription_id where s.company_id = $1',
    [companyId],
  )
  const card = { reference: `card-${companyId}`, brand: 'visa', last4: '0002', expiryYear: 2099, expiryMonth: 4, savedAt: new Date() }
  const done = { reference: `setup-${companyId}`, status: 'done', failureCode: null, card, frameUrl: null } as const
  await buyer.does((scope) => applySetup(scope, rows[0]?.id ?? '', done))
}

interface Told {
  quickOrder: { rows: { price: { amount: number } | null; total: { amount: number } | null }[] }
  yourPrices: YourPriceFragment[]
  cart: {
    sellers: {
      lines: { unitPrice: { main: { asString: string } }; total: { amount: number }; state: string }[]
      delivery: { amount: number }
    }[]
    totals: { totalWithVat: { amount: number } }
  }
  customerOrder: {
    sellerOrders: { lines: { unitPrice: { amount: number }; total: { amount: number }; totalWithVat: { amount: number } }[] }[]
    totals: { totalWithVat: { amount: number } }
  }
}

const orders: { of: PricedCase; id: number; orderId: string }[] = []
for (const { of, id } of cases)
  test(`the price of ${JSON.stringify(of)}: list, page, cart and order`, async () => {
    const offerId = String(id * 10)
    const { market, quantity, group } = of
    const { buyer, cookie } = await visitorOf(of, id)
    const host = hostOf(modeOf(of), market)
    const see = async (path: string) => plain((await shop.send({ host, cookie, path })).body)
    const ask = async (query: string, variables: object): Promise<Told> => {
      const { body } = await shop.send({ host, cookie, path: '/graphql', json: { query, variables } })
      const { data, errors } = JSON.parse(body) as { data: Told; errors?: unknown }
      assert.equal(errors, undefined, body)
      return data
    }
    const single = told(of, inMode(of, piecePrice(of, 1)))

    const { yourPrices } = await ask(
      'query ($ids: [ID!]!) { yourPrices(offerIds: $ids) { offerId price tax lines isLower quantityBreaks { from each } } }',
      { ids: [offerId] },
    )
    // As read from the page on which the script in the browser has put them.
    const seeOwn = async (path: string) => {
      const { body } = await shop.send({ host, cookie, path })
      return plain(yourPrices.length > 0 ? await ownPrices.show(body, yourPrices) : body)
    }
    const url = await addressOf(host, id)
    const [list, page] = [await seeOwn(`/search/qv${id}`), await seeOwn(url)]
    const isPro = group !== 'consumer'
    assert.deepEqual([...new Set(isPro ? pricesOn(list, offerId) : priceBelow(list, url))], [plain(single)], 'list')
    const [sold] = (structuredData(page)['Product'] as { offers: { price: number }[] }).offers
    const onPage = isPro ? pricesOn(page, offerId) : [plain(told(of, Math.round((sold?.price ?? 0) * 100)))]
    assert.deepEqual([...new Set(onPage)], [plain(single)], 'product page')
    assert.ok(textOf(page).includes(onPage[0] ?? single))
    const steps = breaksOn(page, offerId)
    const step = steps.findLast(({ from }) => from <= quantity)
    const each = told(of, inMode(of, piecePrice(of, quantity)))
    assert.ok(
      step ? step.text.includes(plain(each)) : plain(each) === plain(single),
      `quantity breaks: ${each} in ${JSON.stringify(steps)}`,
    )

    const add = 'mutation ($offerId: ID!, $quantity: Int!) { addToCart(offerId: $offerId, quantity: $quantity) { refusal { message } } }'
    if (of.held > 0) await ask(add, { offerId, quantity: of.held })
    const added = quantity - of.held
    const { price, goods, delivery } = charged(of)
    if (group !== 'consumer') {
      const { quickOrder } = await ask(
        'query ($rows: [OrderRowInput!]!) { quickOrder(rows: $rows) { rows { price { amount } total { amount } } } }',
        {
          rows: [{ code: `TV-${id}`, quantity: String(added) }],
        },
      )
      assert.deepEqual(
        quickOrder.rows,
        [{ price: { amount: inMode(of, price) }, total: { amount: inMode(of, price * added) } }],
        'quick order',
      )
    }

    await ask(add, { offerId, quantity: added })
    const inCart = told(of, inMode(of, price))
    const { cart } = await ask(
      '{ cart { sellers { lines { unitPrice { main { asString } } total { amount } state } delivery { amount } } totals { totalWithVat { amount } } } }',
      {},
    )
    const line = cart.sellers[0]?.lines[0]
    assert.deepEqual(
      [plain(line?.unitPrice.main.asString ?? ''), line?.total.amount, line?.state, cart.totals.totalWithVat.amount],
      [plain(inCart), inMode(of, goods), 'OK', goods + delivery],
      'cart',
    )
    const cartPage = textOf(await see('/cart'))
    for (const amount of [inCart, told(of, inMode(of, goods))]) assert.ok(cartPage.includes(plain(amount)), `${amount} on the cart's page`)
    if (group === 'member') await comparePunchOut(of, offerId, host, buyer)
    const orderId = await draftOrder(buyer, [])
    must(await place(buyer, orderId))
    const { customerOrder } = await ask(
      `query ($id: ID!) { customerOrder(id: $id) {
        sellerOrders { lines { unitPrice { amount } total { amount } totalWithVat { amount } } } totals { totalWithVat { amount } } } }`,
      { id: orderId },
    )
    const ordered = customerOrder.sellerOrders[0]?.lines[0]
    assert.deepEqual(
      [ordered?.unitPrice.amount, ordered?.total.amount, ordered?.totalWithVat.amount, customerOrder.totals.totalWithVat.amount],
      [inMode(of, price), inMode(of, goods), goods, goods + delivery],
      'order',
    )
    orders.push({ of, id, orderId })
  })

/** The form has no VAT: its items are what the order costs without it, to the cent, and what cXML calls tax is the rest. */
async function comparePunchOut(of: PricedCase, offerId: string, host: string, { does, overrides }: Buyer): Promise<void> {
  const { principal } = overrides
  assert.ok(principal?.kind === 'member')
  const { quantity, market } = of
  const goods = piecePrice(of, quantity) * quantity
  const [net, delivery, gross] = [netOf(of, goods), netOf(of, deliveryOf(of)), goods + deliveryOf(of)]
  for (const protocol of punchOutProtocols) {
    const { items, total, tax } = await takeBack(shop, host, { does, principal }, protocol, { offerId, quantity })
    assert.deepEqual(
      items.map((item) => [item.partId, Math.round(item.quantity * item.unitPrice * 100), item.currency]),
      [[offerId, net], ...(delivery > 0 ? [['DELIVERY', delivery]] : [])].map((item) => [...item, markets[market].currency]),
      protocol,
    )
    assert.equal(items[0]?.quantity, quantity)
    if (protocol === 'cxml')
      assert.deepEqual(
        [Number(total) * 100, (Number(total) + Number(tax)) * 100].map(Math.round),
        [net + delivery, gross],
        'the sums of cXML',
      )
  }
}

async function addressOf(host: string, id: number): Promise<string> {
  const query = 'query ($id: ID!) { product(id: $id) { url } }'
  const { body } = await shop.send({ host, cookie: '', path: '/graphql', json: { query, variables: { id: String(id) } } })
  return (JSON.parse(body) as { data: { product: { url: string } } }).data.product.url
}

test('the invoices, issued when the goods are sent, name the price of the order, with the VAT of their treatment', async () => {
  assert.ok(orders.length >= table.length / 2 + generated / 3)
  for (const { orderId } of orders) {
    await payOrder(database, orderId)
    await sendAll(database, orderId)
  }
  await runWork(database, invoiceJobs.handlers)
  const treatments = new Set<string>()
  for (const { of, orderId } of orders) {
    const { rows } = await pool.query<{ document: InvoiceDocument }>('select document from invoices.invoice where customer_order_id = $1', [
      orderId,
    ])
    assert.equal(rows.length, 1)
    const { treatment, lines, charges, totals } = rows[0]?.document ?? assert.fail()
    const { goods, delivery } = charged(of)
    const net = treatment === 'reverse-charge' ? goods : netOf(of, goods)
    const row = lines.map((line) => [line.quantity, line.gross, line.net, line.vat, line.rateBp])
    assert.deepEqual(
      [treatment, row, charges.reduce((all, { gross }) => all + gross, 0), totals.gross],
      [
        treatmentOf(of),
        [[of.quantity, goods, net, goods - net, treatment === 'reverse-charge' ? 0 : rateOf(of)]],
        delivery,
        goods + delivery,
      ],
      JSON.stringify(of),
    )
    treatments.add(treatment)
  }
  assert.deepEqual([...treatments].toSorted(), ['deemed-supplier', 'domestic', 'gb', 'oss', 'reverse-charge'])
})

/** Amounts that professionals alone are asked, in minor units, without those that a consumer may read as well. */
function secretsOf(market: string): number[] {
  const here = cases.filter(({ of }) => of.market === market).map(({ of }) => of)
  const open = here.flatMap((of) => {
    const prices = [of.price, ...of.breaks.flatMap(({ group, price }) => (group === 'b2c' ? price : []))]
    return prices.flatMap((price) => [price, price + 490, of.price - price, 490])
  })
  const ofPros = here.flatMap((of) => {
    const prices = [piecePrice({ ...of, group: 'member' }, 1), ...of.breaks.flatMap(({ group, price }) => (group === 'b2b' ? price : []))]
    return [of.proPrice ?? [], quoteOf(of)?.price ?? [], ...prices].flat().flatMap((price) => [price, netOf(of, price)])
  })
  const known = new Set(open)
  return [...new Set(ofPros.filter((amount) => !known.has(amount)))]
}

const maxPages = 40
/** Prices for professionals found on pages of the consumers' storefront: from its home page and all its products on. */
async function crawl(market: PricedCase['market'], from: string[], at = shop): Promise<{ leaks: string[]; walked: number }> {
  const host = hostOf('b2c', market)
  const amounts = new Set(secretsOf(market))
  const secrets = [...amounts].map(
    (amount) => new RegExp(`(?<![\\d.,])${RegExp.escape(plain(showMoney(market, amount).formatted))}(?!\\d)`),
  )
  const leaks: string[] = []
  const known = new Set(from)
  for (const path of known) {
    const { body, status } = await at.send({ host, cookie: '', path })
    assert.ok(status < 500, path)
    // Amounts whose decimals stand in an element of their own are read as one.
    const read = plain(body).replaceAll(/<\/?small[^>]*>|<!-- -->/g, '')
    for (const secret of secrets) if (secret.test(read)) leaks.push(`${path}: ${secret.source}`)
    // As programs read them: structured data in major units, data of the API in minor ones.
    for (const [, key = '', figure] of body.matchAll(
      /(?:&quot;|")(price|lowPrice|highPrice|amount)(?:&quot;|"):\s*(?:&quot;|")?(\d+(?:\.\d+)?)/g,
    ))
      if (amounts.has(Math.round(Number(figure) * (key === 'amount' ? 1 : 100)))) leaks.push(`${path}: ${key} ${figure}`)
    for (const [, link = ''] of body.matchAll(/href="(\/[^"#?]*)"/g))
      if (known.size < from.length + maxPages && !/^\/(api|assets|pictures)|logout/.test(link)) known.add(link)
  }
  return { leaks, walked: known.size }
}

for (const market of marketCodes)
  test(`prices of professionals and companies are on no page of the consumers’ storefront in ${market}`, async () => {
    const goods = cases.filter(({ of }) => of.market === market).slice(0, 12)
    const pages = await Promise.all(goods.map(({ id }) => addressOf(hostOf('b2c', market), id)))
    const { leaks, walked } = await crawl(market, ['/', ...pages, ...goods.map(({ id }) => `/search/qv${id}`)])
    assert.deepEqual(leaks, [])
    assert.ok(walked > maxPages)
  })

test('the crawl detects the price of a professional that a page of consumers shows', async () => {
  planted.price = showMoney('fr', secretsOf('fr')[0] ?? assert.fail('no price of a professional')).formatted
  shop.storefront.purge(null)
  const { leaks } = await crawl('fr', ['/'])
  planted.price = ''
  assert.match(leaks[0] ?? '', /^\/: /)
})

test('the crawl detects a price of professionals that is sold to consumers, in lists, on the product’s page and in its structured data', async () => {
  const secrets = new Set(secretsOf('gb'))
  const { of } = cases.find((each) => each.of.market === 'gb' && secrets.has(each.of.proPrice ?? 0)) ?? assert.fail('no such price')
  const id = 7900
  await offer({ ...of, price: of.proPrice ?? 0, proPrice: null, breaks: [] }, id)
  // Its index has the offer as well.
  const leaking = await serveShop(database)
  const url = await addressOf(hostOf('b2c', 'gb'), id)
  try {
    const { leaks } = await crawl('gb', [url, `/search/qv${id}`], leaking)
    const found = leaks.filter((leak) => leak.startsWith(`${url}: `)).join(' ')
    assert.match(found, /£/)
    assert.match(found, /price \d/)
    assert.ok(
      leaks.some((leak) => leak.startsWith(`/search/qv${id}: `)),
      leaks.join('\n'),
    )
  } finally {
    await leaking.close()
  }
})
