/**
 * Prices, badges and countdowns in the published API for guests, consumers and professionals of each market, over HTTP and
 * from a real Postgres; the rules themselves have their table tests in `goods/pricing`.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketCodes, markets, type Market } from '@purlin/contract/markets.ts'
import { connectSearch } from '#listing'
import { testDatabase } from '#platform/testing'
import { testEngine } from '../../goods/listing/test-engine.ts'
import { testOffer, testProduct, testReference, type TestOffer, type TestProduct } from '../../goods/listing/test-shop.ts'
import { addCompany, addCustomer, addMembership, signIn } from '../../people/accounts/testing.ts'
import { testGateway } from './testing.ts'

const database = await testDatabase()
const { db } = database
await testReference(db)
const seller = {
  name: 'test.more-sellers',
  text: `insert into sellers.seller (id, slug, name, legal_name, country, vat_number, registration, address, email, phone, is_b2b, rating, rating_count, response_hours, commission_bp, free_delivery_from)
         select $1, $2, $2, $2, $3, vat_number, registration, address, email, phone, false, rating, rating_count, response_hours, commission_bp, '{}' from sellers.seller where id = 1`,
}
await db.run(seller, [5, 'ebro', 'ES'])
await db.run(seller, [6, 'tevere', 'IT'])
await db.run(seller, [7, 'tyne', 'GB'])
await db.run({ name: 'test.rate', text: 'update sellers.seller set rating = 3, rating_count = 200 where id = $1' }, [7])
const sellerOf = { gb: 1, de: 2, fr: 4, es: 5, it: 6 } as const
connectSearch(await testEngine())
const gateway = await testGateway(database.pool)

interface Amount {
  asString: string
  asFloat: number
}
interface Block {
  main: Amount & { integer: string; decimal: string }
  taxKey: string
  retail: Amount | null
  secondary: Amount | null
  discount: number | null
  unit: { label: string; unit: string; amount: Amount } | null
  hasNoVATForDE: boolean
}
interface SoldOffer {
  price: Block
  prices: unknown
  badges: { type: string; label: string }[]
  retailPriceTimeLeftLabel: string | null
  proAdvantagePercentage: number | null
  coupon: { code: string; label: string } | null
}
const block = `main { integer decimal asString asFloat } taxKey retail { asString asFloat } secondary { asString asFloat } discount
  unit { label unit amount { asFloat } } hasNoVATForDE`
const offerQuery = `query ($id: ID!) { product(id: $id) { bestOffer { price { ${block} } badges { type label } retailPriceTimeLeftLabel proAdvantagePercentage
  coupon { code label } prices { per_item { actual_price { with_vat { as_float } without_vat { as_float } } } seller_country_id } } } }`

async function ask<Data>(query: string, variables: object, host: string, cookie = ''): Promise<Data> {
  const { status, body } = await gateway.post(query, variables, { host, cookie })
  const { data, errors } = body as { data: Data; errors?: unknown }
  assert.equal(status, 200, JSON.stringify(errors))
  assert.equal(errors, undefined)
  return data
}

let last = 500
/** A product with one offer in a market, by a domestic seller unless stated otherwise. */
async function sold(market: Market, offer: Partial<TestOffer> = {}, product: Partial<TestProduct> = {}): Promise<string> {
  const id = (last += 1)
  await testProduct(db, { id, ...product })
  await testOffer(db, { id, productId: id, market, sellerId: sellerOf[market], ...offer })
  return String(id)
}
async function shown(id: string, host: string, cookie = ''): Promise<SoldOffer> {
  const { product } = await ask<{ product: { bestOffer: SoldOffer | null } }>(offerQuery, { id }, host, cookie)
  assert.ok(product.bestOffer)
  return product.bestOffer
}
const pro = (market: Market) => `pro.${market}.localhost`
const home = (market: Market) => `${market}.localhost`
const plain = (text: string | undefined) => text?.replace(/[\u00a0\u202f]/g, ' ')
const netOf: Record<Market, number> = { es: 10_000, fr: 10_000, gb: 10_000, de: 10_000, it: 10_000 }
const grossOf: Record<Market, number> = { es: 12_100, fr: 12_000, gb: 12_000, de: 11_900, it: 12_200 }
const everywhere = new Map<Market, string>()
for (const market of marketCodes) everywhere.set(market, await sold(market, { price: grossOf[market] }))
const drillOf = (market: Market) => everywhere.get(market) ?? ''

/** A person's session cookie on their storefront. */
async function customer(market: Market, company?: { country: string }): Promise<string> {
  const { id } = await addCustomer(db, { market })
  if (!company) return `__Host-purlin=${(await signIn(db, { customerId: id })).token}`
  const { id: companyId } = await addCompany(db, { country: company.country })
  await addMembership(db, id, companyId, 'buyer')
  return `__Host-purlin=${(await signIn(db, { customerId: id, companyId, family: 'b2b' })).token}`
}

const put =
  'mutation ($id: ID!) { addToCart(offerId: $id, quantity: 1) { refusal { reason } cart { taxKey sellers { lines { offerId unitPrice { main { asFloat } taxKey secondary { asFloat } } } } } } }'
/** The price of a cart line for this buyer. */
async function inCart(offerId: string, host: string, cookie = ''): Promise<{ taxKey: string; asFloat: number }> {
  const { addToCart } = await ask<{
    addToCart: { refusal: unknown; cart: { sellers: { lines: { offerId: string; unitPrice: { main: Amount; taxKey: string } }[] }[] } }
  }>(put, { id: offerId }, host, cookie)
  assert.equal(addToCart.refusal, null)
  const unitPrice = addToCart.cart.sellers.flatMap(({ lines }) => lines).find((line) => line.offerId === offerId)?.unitPrice
  assert.ok(unitPrice)
  return { taxKey: unitPrice.taxKey, asFloat: unitPrice.main.asFloat }
}

for (const market of marketCodes) {
  const gross = grossOf[market] / 100
  test(`R-001 R-020 R-373 R-499 R-501 R-514 in ${market} guests and consumers see prices with VAT only, on the page and in the cart`, async () => {
    const { price } = await shown(drillOf(market), home(market))
    assert.deepEqual([price.main.asFloat, price.taxKey, price.secondary], [gross, 'with_vat', null])
    for (const cookie of ['', await customer(market)])
      assert.deepEqual(await inCart(drillOf(market), home(market), cookie), { taxKey: 'with_vat', asFloat: gross })
  })

  test(`R-021 R-022 R-375 R-383 R-384 R-500 R-511 in ${market} professionals see ${market === 'gb' ? 'the price with VAT and the net price in small print' : 'the net price and the price with VAT in small print'}`, async () => {
    const { price } = await shown(drillOf(market), pro(market))
    const [main, secondary, key] = market === 'gb' ? [gross, 100, 'with_vat'] : [100, gross, 'without_vat']
    assert.deepEqual([price.main.asFloat, price.secondary?.asFloat, price.taxKey], [main, secondary, key])
    const country = markets[market].country
    assert.deepEqual(await inCart(drillOf(market), pro(market), await customer(market, { country })), { taxKey: key, asFloat: main })
  })

  test(`R-379 in ${market} an amount has its integer, decimal, text and number in the market’s format`, async () => {
    const { price } = await shown(await sold(market, { price: 123_450 }), home(market))
    const written = {
      es: ['1234', '1234,50 €'],
      fr: ['1 234', '1 234,50 €'],
      gb: ['1,234', '£1,234.50'],
      de: ['1.234', '1.234,50 €'],
      it: ['1234', '1234,50 €'],
    }[market]
    assert.deepEqual(
      [plain(price.main.integer), price.main.decimal, plain(price.main.asString), price.main.asFloat],
      [written[0], '50', written[1], 1234.5],
    )
  })

  test(`R-002…R-007 R-503 R-504 R-505 R-506 R-650 ${market} and its storefronts come from the settings of the site`, async () => {
    const settings = {
      es: ['EUR', 'es-ES', 'Europe/Madrid'],
      fr: ['EUR', 'fr-FR', 'Europe/Paris'],
      gb: ['GBP', 'en-GB', 'Europe/London'],
      de: ['EUR', 'de-DE', 'Europe/Berlin'],
      it: ['EUR', 'it-IT', 'Europe/Rome'],
    }[market]
    for (const [host, mode] of [
      [home(market), 'b2c'],
      [pro(market), 'b2b'],
    ] as const) {
      const { site } = await ask<{ site: Record<string, string> }>('{ site { market mode currency locale timeZone } }', {}, host)
      assert.deepEqual({ ...site }, { market, mode, currency: settings[0], locale: settings[1], timeZone: settings[2] })
    }
  })
}

test('R-651 a host without a market gets the gb consumer storefront', async () => {
  const { site } = await ask<{ site: { market: string; mode: string } }>('{ site { market mode } }', {}, 'localhost')
  assert.deepEqual({ ...site }, { market: 'gb', mode: 'b2c' })
})

for (const market of ['es', 'fr', 'de', 'it'] as const) {
  const [gross, net] = [grossOf[market] / 100, netOf[market] / 100]
  test(`R-512 in ${market} a professional who opted for prices with VAT sees them, in the cart too`, async () => {
    const { price } = await shown(drillOf(market), pro(market), 'mm_vat_display=with')
    assert.deepEqual([price.main.asFloat, price.taxKey], [gross, 'with_vat'])
    const cookie = `${await customer(market, { country: markets[market].country })}; mm_vat_display=with`
    assert.deepEqual(await inCart(drillOf(market), pro(market), cookie), { taxKey: 'with_vat', asFloat: gross })
  })

  test(`R-513 in ${market} the price of a seller of another country than the customer’s has VAT`, async () => {
    const foreign = await sold(market, { price: grossOf[market], sellerId: sellerOf.gb })
    assert.equal((await shown(foreign, pro(market))).price.taxKey, 'with_vat')
    assert.equal((await inCart(foreign, pro(market), await customer(market, { country: 'GB' }))).asFloat, net)
    assert.equal((await inCart(drillOf(market), pro(market), await customer(market, { country: 'GB' }))).asFloat, gross)
  })
}

/** Each market's buyers of every kind with a domestic and a foreign seller's offer, as the API prices them. */
for (const market of marketCodes) {
  test(`R-524 in ${market} the truth table of price conditions: storefront, customer, choice and country of customer and seller`, async () => {
    const country = markets[market].country
    const abroad = market === 'de' ? 'FR' : 'DE'
    const offers = [
      { id: drillOf(market), from: country },
      { id: await sold(market, { price: grossOf[market], sellerId: sellerOf[market === 'de' ? 'fr' : 'de'] }), from: abroad },
    ]
    const buyers = [
      { who: 'guest', cookie: '', company: null },
      { who: 'consumer', cookie: await customer(market), company: null },
      { who: 'company here', cookie: await customer(market, { country }), company: country },
      { who: 'company abroad', cookie: await customer(market, { country: abroad }), company: abroad },
    ]
    let cases = 0
    for (const host of [home(market), pro(market)])
      for (const { who, cookie, company } of buyers)
        for (const { id, from } of offers)
          for (const choice of ['', 'mm_vat_display=with']) {
            // A session belongs to a storefront: on the consumers' one a company's session is nobody's.
            const isNet = host === pro(market) && market !== 'gb' && choice === '' && from === (company ?? country)
            const { taxKey } = await inCart(id, host, [cookie, choice].filter(Boolean).join('; '))
            assert.equal(taxKey, isNet ? 'without_vat' : 'with_vat', JSON.stringify({ host, who, from, choice }))
            cases += 1
          }
    assert.equal(cases, 32)
  })
}

test('R-374 R-376 R-385 a reduction shows the previous price in the tax mode of the main price, and whole percent rounded down', async () => {
  const reduced = await sold('de', { price: 11_900, was: 14_000 })
  const [consumer, professional] = [await shown(reduced, home('de')), await shown(reduced, pro('de'))]
  assert.deepEqual([consumer.price.retail?.asFloat, consumer.price.discount], [140, 15])
  assert.deepEqual([professional.price.retail?.asFloat, professional.price.discount], [117.65, 15])
  const { price } = await shown(await sold('de', { price: 11_900, was: 11_000 }), home('de'))
  assert.deepEqual([price.retail, price.discount], [null, null])
})

test('R-377 R-386 goods sold by volume show the price per litre, in the tax mode of the main price', async () => {
  const paint = await sold('de', { price: 2_499 }, { unit: { measure: 'l', quantityMilli: 2_500 } })
  const [consumer, professional] = [await shown(paint, home('de')), await shown(paint, pro('de'))]
  assert.deepEqual([plain(consumer.price.unit?.label), consumer.price.unit?.unit], ['10,00 € /L', 'l'])
  assert.equal(plain(professional.price.unit?.label), '8,40 € /L')
})

test('R-378 R-685 under the zero rate of de net equals gross: one price, and the note', async () => {
  const solar = await sold('de', { price: 11_900 }, { categoryId: 2257 })
  const { price } = await shown(solar, pro('de'))
  assert.deepEqual([price.hasNoVATForDE, price.main.asFloat, price.secondary], [true, 119, null])
  assert.equal((await shown(drillOf('de'), pro('de'))).price.hasNoVATForDE, false)
})

test('R-380 R-381 R-382 the detail source has both prices and the seller’s country', async () => {
  const { prices } = await shown(drillOf('de'), pro('de'))
  assert.deepEqual(prices, {
    per_item: { actual_price: { with_vat: { as_float: 119 }, without_vat: { as_float: 100 } } },
    seller_country_id: 'DE',
  })
})

test('R-023 R-363 R-396 the pro price is shown to professionals, with its saving in percent', async () => {
  const trade = await sold('fr', { price: 12_000, proPrice: 11_040 })
  const [consumer, professional] = [await shown(trade, home('fr')), await shown(trade, pro('fr'))]
  assert.deepEqual([consumer.price.main.asFloat, consumer.badges], [120, []])
  assert.deepEqual([professional.price.main.asFloat, professional.proAdvantagePercentage], [92, 8])
  const actual = ({ prices }: SoldOffer) => (prices as { per_item: { actual_price: unknown } }).per_item.actual_price
  assert.deepEqual(actual(consumer), { with_vat: { as_float: 120 }, without_vat: { as_float: 100 } })
  assert.deepEqual(actual(professional), { with_vat: { as_float: 110.4 }, without_vat: { as_float: 92 } })
  assert.deepEqual(
    professional.badges.map(({ type, label }) => [type, plain(label)]),
    [['proPriceAdvantage', 'Prix pro -8 %']],
  )
})

const operation = {
  name: 'test.operation-of',
  text: `insert into catalogue.commercial_operation (id, type, market, slug, name, starts_at, ends_at) values ($1, $2, $3, $4, $5, now() + $6::interval, now() + $7::interval)`,
}
// Reference data is read once: the operations must exist before the first product that takes part.
await db.run(operation, [701, 'blackfriday', 'de', 'bf', 'Black Friday', '-1 day', '9 days'])
await db.run(operation, [702, 'blackfriday', 'de', 'bf2', 'Black Friday', '-9 days', '-1 day'])
await db.run(operation, [703, 'sales', 'de', 'sale', 'x', '-1 day', '9 days'])
await db.run(operation, [704, 'productdays', 'gb', 'gd', 'Garden days', '-1 day', '9 days'])
const soon = (ms: number) => new Date(Date.now() + ms)
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

const badges: [ids: string, market: Market, what: Partial<TestOffer>, product: Partial<TestProduct>, shown: [string, string][]][] = [
  ['R-388 a reduction that ends', 'gb', { was: 15_000, promotionEndsAt: soon(day) }, {}, [['promo', '-20%']]],
  ['R-398 a reduction without an end', 'gb', { was: 15_000 }, {}, [['loweredprice', 'Lowered price']]],
  ['R-389 a coupon', 'de', { couponCode: 'GARTEN10' }, {}, [['coupon', 'Gutschein GARTEN10']]],
  ['R-390 recycled material', 'it', {}, { flags: ['eco'] }, [['is_eco_responsible', 'Contiene materiale riciclato']]],
  ['R-391 made in France, in France', 'fr', {}, { flags: ['local_fr'] }, [['is_local', 'Fabriqué en France']]],
  ['R-391 made in France, elsewhere', 'es', {}, { flags: ['local_fr'] }, []],
  ['R-392 a top seller', 'es', {}, { flags: ['top_sale'] }, [['top_sale', 'Más vendido']]],
  ['R-393 Black Friday while it runs', 'de', { operations: [701] }, {}, [['blackfriday', 'Black Friday']]],
  ['R-393 Black Friday when it is over', 'de', { operations: [702] }, {}, []],
  ['R-393 Black Friday of another market', 'gb', { operations: [701] }, {}, []],
  ['R-394 the sales, where the law sets no period', 'de', { operations: [703] }, {}, [['sales', 'Sale']]],
  ['R-395 days of a theme', 'gb', { operations: [704] }, {}, [['productdays', 'Garden days']]],
  ['R-397 a sponsored offer', 'fr', { sponsored: true }, {}, [['sponsored', 'Sponsorisé']]],
]
for (const [title, market, offer, product, expected] of badges)
  test(`${title}: the badge of the offer on its product page`, async () => {
    const { badges: found, coupon } = await shown(await sold(market, offer, product), home(market))
    assert.deepEqual(
      found.map(({ type, label }) => [type, plain(label)]),
      expected,
    )
    assert.equal(coupon?.code ?? null, offer.couponCode ?? null)
  })

const countdowns: [what: string, left: number, label: string | null][] = [
  ['over', -minute, null],
  ['half an hour, which would round to nothing', 30 * minute, null],
  ['just under two hours', 2 * hour - minute, ' ends in 1h'],
  ['just under 72 hours', 72 * hour - minute, ' ends in 71h'],
  ['just over 72 hours', 72 * hour + 10 * minute, ' ends in 3d'],
  ['just under 6 days', 6 * day - minute, ' ends in 5d'],
  ['just over 6 days', 6 * day + 10 * minute, null],
]
for (const [what, left, label] of countdowns)
  test(`R-663 R-664 R-665 R-666 R-713 the countdown of a reduction with this much time left: ${what}`, async () => {
    const { retailPriceTimeLeftLabel } = await shown(await sold('gb', { was: 15_000, promotionEndsAt: soon(left) }), home('gb'))
    assert.equal(retailPriceTimeLeftLabel, label)
  })

test('R-664 the countdown is in the language of the market', async () => {
  const labels = []
  for (const market of marketCodes)
    labels.push(
      (await shown(await sold(market, { was: 15_000, promotionEndsAt: soon(4 * day + hour) }), home(market))).retailPriceTimeLeftLabel,
    )
  assert.deepEqual(labels, [' termina en 4 d', ' se termine dans 4 j', ' ends in 4d', ' endet in 4 T.', ' termina tra 4 g'])
})

test('V-71 of two offers at one price the better rated seller comes first, with the reason, the price including delivery and the delivery promise', async () => {
  const id = await sold('gb', { sellerId: 7 })
  await testOffer(db, { id: Number(id) + 5_000, productId: Number(id) })
  const query =
    'query ($id: ID!) { product(id: $id) { bestOfferReason bestOffer { id deliveryPromise landedPrice { amount currency formatted } } } }'
  const { product } = await ask<{ product: { bestOfferReason: string; bestOffer: Record<string, unknown> } }>(query, { id }, home('gb'))
  const { deliveryPromise, ...best } = product.bestOffer
  assert.deepEqual(best, { id: String(Number(id) + 5_000), landedPrice: { amount: 12_490, currency: 'GBP', formatted: '£124.90' } })
  assert.match(product.bestOfferReason, /better rated seller/i)
  assert.match(String(deliveryPromise), /^Arrives /)
})
