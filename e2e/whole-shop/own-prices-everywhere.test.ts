/** Every page of the professional storefront shows a company's member the prices that the cart charges, once the script of the shop has run. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { TestDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { writePrices } from '@purlin/server/goods/catalogue/write-price.ts'
import { givePriceList, writeQuotedPrices } from '@purlin/server/goods/conditions/index.ts'
import { newId } from '@purlin/server/foundation/platform/index.ts'
import { testOffer, testProduct } from '@purlin/server/goods/listing/test-shop.ts'
import { showMoney } from '@purlin/server/goods/pricing/index.ts'
import { addCompany, addCustomer, addMembership, signIn } from '@purlin/server/people/accounts/testing.ts'
import { must } from '@purlin/server/selling/checkout/testing.ts'
import { noModel } from '@purlin/server/selling/recommendations/model.ts'
import { writeModel } from '@purlin/server/selling/recommendations/store.ts'
import { YourPricesDocument, type YourPricesQuery } from '@purlin/storefront/generated/documents.ts'
import { textOf } from '@purlin/storefront/testing/shop.ts'
import { ownPricesInBrowser } from '../support/own-prices-in-browser.ts'
import { cachedRows, fillEveryPage } from './every-page.ts'
import { plain, pricesOn } from './prices-on-pages.ts'
import { shopWithVisitors } from './visitors.ts'

const shop = await shopWithVisitors({ fill })
const { pool } = shop.database
const ownPrices = await ownPricesInBrowser()
after(() => Promise.all([shop.close(), ownPrices.close()]))

/** All goods of pages of goods, in six departments, and in written pages as well; no price occurs twice. */
async function fill(database: TestDatabase): Promise<void> {
  const { db, pool } = database
  await fillEveryPage(database)
  for (const id of [101, 102, 103, 104, 105]) {
    const names = JSON.stringify(Object.fromEntries(['en', 'fr', 'de', 'es', 'it'].map((language) => [language, `department-${id}`])))
    await pool.query(
      `insert into catalogue.category (id, parent_id, level, position, path, department, names, slugs) values ($1, null, 0, $3, array[$1::integer], 'tools', $2, $2)`,
      [id, names, id - 90],
    )
    if (id === 105) continue
    await testProduct(db, { id, categoryId: id, title: `Bench ${id}` })
    await testOffer(db, { id: id * 10, productId: id })
  }
  await testOffer(db, { id: 411, productId: 41, sellerId: 2, stock: 50 })
  await testOffer(db, { id: 412, productId: 41, sellerId: 4, stock: 50, condition: 'used_good' })
  await testOffer(db, { id: 414, productId: 41, sellerId: 2, stock: 50, condition: 'used_good' })
  await testOffer(db, { id: 419, productId: 41, sellerId: 4, market: 'fr' })
  await testOffer(db, { id: 413, productId: 41, sellerId: 2, isSample: true })
  await testProduct(db, { id: 91, title: 'Sold-out drill' })
  await testOffer(db, { id: 910, productId: 91, stock: 0 })
  // Sold out at its first seller. The company has a price of the one that comes last in the order of everybody.
  await testProduct(db, { id: 95, categoryId: 105, title: 'Bench 105' })
  for (const [id, sellerId, condition] of [
    [950, 1, 'new'],
    [951, 2, 'new'],
    [952, 4, 'new'],
    [953, 2, 'refurbished_good'],
    [957, 4, 'used_good'],
    [959, 3, 'used_good'],
  ] as const)
    await testOffer(db, { id, productId: 95, sellerId, condition })
  // Second-hand, the cheaper one of everybody has free delivery, for which the company's price is too low.
  const chosen = new Map([
    [412, 7900],
    [414, 8080],
    [419, 12_000],
  ])
  const { rows } = await pool.query<{ id: number }>('select id::integer from catalogue.offer')
  await writePrices(
    db,
    rows.map(({ id }) => ({ offerId: String(id), price: chosen.get(id) ?? 5000 + id * 7 + (id % 10) * 131, proPrice: null })),
  )
  await pool.query('update catalogue.price_history h set price = o.price from catalogue.offer o where o.id = h.offer_id')
  await pool.query(`update content.version set facts = regexp_replace(
    regexp_replace(facts::text, '"category": \\d+', '"category": 11', 'g'), '"filters": \\{[^}]*\\}', '"filters": {}', 'g')::jsonb`)
  await writeModel(db, 'gb', { ...noModel, goesWith: { 41: ['71', '72'] } }, new Date())
}

const { rows: offers } = await pool.query<{ id: string; sellerId: number; price: number; companyId: string }>(
  `select o.id::text, o.seller_id as "sellerId", o.price, m.company_id as "companyId" from catalogue.offer o, accounts.membership m
   join accounts.customer c on c.id = m.customer_id where o.market = 'gb' and (o.product_id <> 95 or o.id = 959) and c.email = 'member@visitors.example' order by o.id`,
)
const { rows: departments } = await pool.query<{ id: number }>('select id from catalogue.category where parent_id is null and id <> 105')
for (const sellerId of new Set(offers.map((offer) => offer.sellerId))) {
  const companies = offers.slice(0, 1).map(({ companyId }) => ({ companyId }))
  const categories = sellerId === 3 ? [{ id: 105 }] : departments
  const rules = categories.map(({ id }) => ({ productId: null, categoryId: id, percentBp: 3817, price: null }))
  const list = { market: 'gb', name: 'Ours', validFrom: null, validTo: null, groups: [], companies, rules } as const
  must(await shop.database.command({}, (scope) => givePriceList(scope, sellerId, list)))
}
const asked = await shop.ask('member', 'b2b', '/graphql', {
  json: {
    variables: { offerIds: offers.map(({ id }) => id), withDelivery: true },
    extensions: { persistedQuery: { version: 1, sha256Hash: YourPricesDocument.id } },
  },
})
const { yourPrices } = (JSON.parse(asked.body) as { data: YourPricesQuery }).data
const told = (amount: number) => plain(showMoney('gb', amount).formatted)
const ours = new Set(yourPrices.flatMap(({ price, landedPrice }) => [price, landedPrice?.formatted ?? '']).map(plain))
const publicPrices = offers.map(({ price }) => told(price)).filter((price) => !ours.has(price))
const publicWithDelivery = offers.map(({ price }) => told(price + 490)).filter((price) => !ours.has(price))

/** Sums of ticked goods, which another script replaces, and of the tins of a wall, which have a request and a test of their own. */
const sums =
  /<p[^>]* data-list-sum[\s\S]*?<\/p>|<form[^>]*>\s*<input[^>]*value="add-all"[^>]*><ul><li[^>]*><img[^>]*width="56"[\s\S]*?<\/form>/g

/** Where a path leads. */
async function addressOf(path: string): Promise<string> {
  const { status, headers } = await shop.ask('member', 'b2b', path)
  return status === 301 ? String(headers.location) : path
}

/** The prices on a page as a member of the company sees them. */
async function read(path: string): Promise<string> {
  const { status, headers, body } = await shop.ask('member', 'b2b', await addressOf(path))
  assert.equal(status, 200, `${path}: ${status} ${headers.location}`)
  const shown = await ownPrices.show(body, yourPrices)
  return plain(textOf(shown.replaceAll(sums, '')))
}
const amountsIn = (text: string, amounts: Iterable<string>) =>
  [...amounts].filter((amount) => new RegExp(`(?<![\\d.,])${RegExp.escape(amount)}(?!\\d)`).test(text))

const pathOf = (row: string) => cachedRows('b2b', shop.belongings.member).find(({ name }) => name === row)?.path ?? ''

/** Pages with goods, each with an amount that must be the company's. */
const pagesOfGoods: Readonly<Record<string, string>> = {
  'the home page': '/',
  'a list': '/search/drill',
  'a comparison of products': '/compare?p=41,71',
  'the data of a product': '/p/cordless-drill-41/informations',
  'a product': '/p/cordless-drill-41',
  'a comparison with our picks': pathOf('topProducts'),
  'the best sellers of all departments': '/bs',
  'an advertised product': '/pal/41',
  'pictures to be inspired by': pathOf('inspirationalMassLanding'),
  'what goes with a product just added': '/recently-seen?placement=add_to_cart&ids=41',
  'what was seen': '/recently-seen?ids=41,71,91',
}

test('all public prices differ from those of the company', () => {
  assert.equal(publicPrices.length, offers.length)
  assert.equal(yourPrices.length, offers.length)
})

for (const [name, path] of Object.entries(pagesOfGoods))
  test(`${name} shows the company’s prices, and no public one`, async () => {
    const text = await read(path)
    assert.notDeepEqual(amountsIn(text, ours), [], `${path} has no price of the company`)
    assert.deepEqual(amountsIn(text, [...publicPrices, ...publicWithDelivery]), [], path)
  })

test('cards promise free delivery as far as the company’s prices reach it', async () => {
  const { body } = await shop.ask('member', 'b2b', '/search/drill')
  const promised = (html: string) => textOf(html).split(' · free').length - 1
  assert.ok(promised(body) > 0)
  assert.equal(promised(await ownPrices.show(body, yourPrices)), 0)
  const free = yourPrices.map((own) => ({ ...own, losesFreeDelivery: false }))
  assert.equal(promised(await ownPrices.show(body, free)), promised(body))
})

test('no page that is kept for everybody still shows a public price once the script has run', async () => {
  const wrong: string[] = []
  for (const { name, path } of cachedRows('b2b', shop.belongings.member)) {
    const left = amountsIn(await read(path), [...publicPrices, ...publicWithDelivery])
    if (left.length > 0) wrong.push(`${name} ${path}: ${left.join(', ')}`)
  }
  assert.deepEqual(wrong, [])
})

/** Text of the element with this attribute. */
const textAt = (html: string, attribute: string) => plain(new RegExp(`${attribute}[^>]*>([^<]*)<`).exec(html)?.[1] ?? '')
interface Charged {
  cart: {
    sellers: { lines: { offerId: string; unitPrice: { main: { asString: string } } }[]; delivery: { amount: number; formatted: string } }[]
    totals: { totalWithVat: { formatted: string } }
  }
}
const cartQuery = `{ cart { sellers { lines { offerId unitPrice { main { asString } } } delivery { amount formatted } } totals { totalWithVat { formatted } } } }`

test('a product names the fees and the sum with delivery at the company’s price, as the cart charges them, and its cheapest second-hand offer', async () => {
  const { body } = await shop.ask('other member', 'b2b', '/p/cordless-drill-41')
  const html = await ownPrices.show(body, yourPrices)
  assert.deepEqual(
    ['412', '414'].map((id) => textAt(body, `data-landed="${id}"`)),
    ['£83.90', '£80.80'],
  )
  assert.deepEqual([textAt(body, 'data-least'), textAt(html, 'data-least')], ['£80.80', textAt(html, 'data-landed="412"')])
  await shop.graphql('member', 'b2b', 'mutation { addToCart(offerId: "414", quantity: 1) { refusal { message } } }')
  const { cart } = (await shop.graphql('member', 'b2b', cartQuery)).data as unknown as Charged
  assert.equal(cart.sellers[0]?.delivery.amount, 490)
  assert.equal(textAt(html, 'data-landed="414"'), plain(cart.totals.totalWithVat.formatted))
  await shop.graphql('member', 'b2b', 'mutation { removeFromCart(offerId: "414") { refusal { message } } }')
})

/** Requests of a member of a German company on the French storefront. */
async function fromGermany() {
  const { db } = shop.database
  const company = await addCompany(db, { country: 'DE' })
  const customer = await addCustomer(db, { market: 'fr' })
  await addMembership(db, customer.id, company.id, 'admin')
  const { token } = await signIn(db, { customerId: customer.id, companyId: company.id, family: 'b2b' })
  const here = { host: 'pro.fr.localhost:3000', cookies: `__Host-purlin=${token}` }
  return async (path: string, json?: object) => {
    const reply = await shop.ask('anonymous', 'b2b', path, { ...here, ...(json && { json }) })
    return reply.status === 301 ? shop.ask('anonymous', 'b2b', String(reply.headers.location), here) : reply
  }
}
const german = await fromGermany()

test('a company from another country reads price, fees and the sum with delivery in the tax mode of its cart', async () => {
  const ask = async (json: object) => (JSON.parse((await german('/graphql', json)).body) as { data: unknown }).data
  const { yourPrices: own } = (await ask({
    variables: { offerIds: ['419'], withDelivery: true },
    extensions: { persistedQuery: { version: 1, sha256Hash: YourPricesDocument.id } },
  })) as YourPricesQuery
  const { body } = await german('/p/cordless-drill-fr--41')
  const html = await ownPrices.show(body, own)
  assert.match(textAt(body, 'data-fee="419 standard"'), /4,08 €/)
  await ask({ query: 'mutation { addToCart(offerId: "419", quantity: 1) { refusal { message } } }' })
  const { cart } = (await ask({ query: cartQuery })) as Charged
  const [seller] = cart.sellers
  assert.deepEqual(pricesOn(html, '419')[0], plain(seller?.lines[0]?.unitPrice.main.asString ?? ''))
  assert.ok(
    textAt(html, 'data-fee="419 standard"').includes(plain(seller?.delivery.formatted ?? '')),
    textAt(html, 'data-fee="419 standard"'),
  )
  assert.equal(plain(seller?.delivery.formatted ?? ''), '4,90 €')
})

test('the browser requests fees and sums with delivery for a product, together with the prices of the company', async () => {
  const { body } = await shop.ask('member', 'b2b', '/p/cordless-drill-41')
  const landed = textAt(await ownPrices.show(body, yourPrices), 'data-landed="412"')
  const shown = await ownPrices.visit('http://pro.gb.localhost:3000/p/cordless-drill-41', (path, json) =>
    shop.ask('member', 'b2b', path, json && { json }),
  )
  assert.notEqual(landed, textAt(body, 'data-landed="412"'))
  assert.deepEqual(
    shown.map((html) => textAt(html, 'data-landed="412"')),
    [landed, landed],
  )
  const abroad = await ownPrices.visit('http://pro.fr.localhost:3000/p/cordless-drill-fr--41', german)
  for (const html of abroad) assert.match(textAt(html, 'data-fee="419 standard"'), /4,90 €/)
  assert.equal(abroad.length, 2)
})

const askAsMember = async (query: string) => (await shop.graphql('member', 'b2b', query)).data

test('the calculator of a paint sums up its tins at the prices of the company, as the cart charges them', async () => {
  const path = await addressOf(pathOf('paint'))
  const visited = await ownPrices.visit(
    `http://pro.gb.localhost:3000${path}`,
    (asked, json) => shop.ask('member', 'b2b', asked, json && { json }),
    'form:has([data-sum]):not(:has([data-sum]:not([data-yours])))',
  )
  const sumsIn = (html: string) =>
    [...html.matchAll(/data-sum="([^"]+)"[^>]*>([^<]*)</g)].map(([, items = '', sum = '']) => ({ items, sum: plain(sum) }))
  const [shown = '', again = ''] = visited
  const [tin, total] = sumsIn(shown)
  const picks = (total?.items ?? '').split(' ').map((pick) => pick.split('x'))
  for (const [offerId = '', quantity = ''] of picks)
    await askAsMember(`mutation { addToCart(offerId: "${offerId}", quantity: ${quantity}) { refusal { message } } }`)
  const { cart } = (await askAsMember(
    '{ cart { sellers { lines { offerId total { formatted } } } totals { goods { formatted } } } }',
  )) as unknown as {
    cart: { sellers: { lines: { offerId: string; total: { formatted: string } }[] }[]; totals: { goods: { formatted: string } } }
  }
  const line = cart.sellers.flatMap(({ lines }) => lines).find(({ offerId }) => offerId === tin?.items.split('x')[0])
  assert.equal(tin?.sum, plain(line?.total.formatted ?? ''))
  assert.equal(total?.sum, plain(cart.totals.goods.formatted))
  assert.deepEqual(sumsIn(again), sumsIn(shown))
  assert.notEqual(sumsIn((await shop.ask('member', 'b2b', path)).body).at(-1)?.sum, total?.sum)
  assert.doesNotMatch(shown, /data-unit-price/)
  for (const [offerId = ''] of picks) await askAsMember(`mutation { removeFromCart(offerId: "${offerId}") { refusal { message } } }`)
})

/** The offers that may take the place of sold-out goods, with their prices, as the member's cart names them. */
async function offeredInstead(): Promise<[offerId: string, price: string][]> {
  const { body } = await shop.ask('member', 'b2b', '/cart')
  const forms = body.split('name="byOfferId" value="')
  return forms.slice(1).map((form, at) => {
    const [price = ''] = [...(forms[at] ?? '').matchAll(/<b[ >][\s\S]*?<\/b>/g)].at(-1) ?? []
    return [/^\d+/.exec(form)?.[0] ?? '', plain(textOf(price)).trim()]
  })
}
/** Takes an offer in place of 950, which is then sold out, and returns the price that the cart charges for a piece. */
async function priceOnceTaken(offerId: string): Promise<string> {
  await askAsMember(`mutation { replaceInCart(offerId: "950", byOfferId: "${offerId}") { refusal { message } } }`)
  const { cart } = (await askAsMember(cartQuery)) as unknown as Charged
  const line = cart.sellers.flatMap(({ lines }) => lines).find((each) => each.offerId === offerId)
  await askAsMember(`mutation { removeFromCart(offerId: "${offerId}") { refusal { message } } }`)
  return plain(line?.unitPrice.main.asString ?? '')
}
async function soldOutInCart(quantity: number): Promise<void> {
  await pool.query('update catalogue.offer set stock = 1000 where id = 950')
  await askAsMember(`mutation { addToCart(offerId: "950", quantity: ${quantity}) { refusal { message } } }`)
  await pool.query('update catalogue.offer set stock = 0 where id = 950')
}
const ownPriceOf959 = told(Math.floor((offers.find(({ id }) => id === '959')?.price ?? 0) * 0.6183))

test('goods that are sold out are offered by other sellers, also by the one with a price of the company, at the price that the cart then charges', async () => {
  await soldOutInCart(1)
  const offered = await offeredInstead()
  assert.deepEqual(offered.at(-1), ['959', ownPriceOf959])
  assert.deepEqual(offered.map(([id]) => id).toSorted(), ['951', '952', '953', '959'])
  assert.equal(await priceOnceTaken('959'), ownPriceOf959)
})

test('in place of ten pieces that are sold out, quantity breaks and accepted quotes for ten are offered at the price that the cart then charges', async () => {
  const { company, membership } = shop.belongings.member
  await pool.query('update catalogue.offer set stock = 50 where id in (951, 957, 959)')
  await pool.query(`update catalogue.offer set quantity_breaks = '[{"group": "b2b", "from": 10, "price": 7000}]' where id = 951`)
  await writeQuotedPrices(shop.database.db, {
    quoteId: newId(),
    sellerId: 4,
    customerId: membership ?? '',
    companyId: company ?? '',
    market: 'gb',
    delivery: 4_90,
    validUntil: new Date(Date.now() + 86_400_000),
    lines: [{ offerId: '957', quantity: 10, price: 44_44 }],
  })
  const expected = [
    ['951', '£70.00'],
    ['957', '£44.44'],
    ['959', ownPriceOf959],
  ] as const
  for (const [offerId, price] of expected) {
    await soldOutInCart(10)
    const offered = new Map(await offeredInstead())
    assert.deepEqual(
      expected.map(([id]) => [id, offered.get(id)]),
      expected,
    )
    assert.equal(await priceOnceTaken(offerId), price)
  }
})
