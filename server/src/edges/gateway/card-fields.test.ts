/**
 * Every field of a product card in the published API, over HTTP and from a real Postgres and index: two products that differ in
 * every field, on several storefronts, so that swapped fields are noticed.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Market } from '@purlin/contract/markets.ts'
import type { Condition } from '@purlin/contract/product-card.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { connectSearch, rebuildIndex } from '#listing'
import { testDatabase } from '#platform/testing'
import { testEngine } from '../../goods/listing/test-engine.ts'
import { testOffer, testProduct, testReference } from '../../goods/listing/test-shop.ts'
import { connectModules } from '../connect-modules.ts'
import { testGateway } from './testing.ts'

const database = await testDatabase()
const { db } = database
await testReference(db)
const promotionEndsAt = new Date(Date.now() + 30.5 * 3_600_000)
await testProduct(db, {
  id: 1,
  modelId: 5,
  flags: ['eco', 'local_fr', 'top_sale'],
  unit: { measure: 'm2', quantityMilli: 2_000 },
  popularity: 900,
})
await testProduct(db, { id: 2, modelId: 5, attributes: { voltage: 12, color: 'red' } })
await testProduct(db, {
  id: 8,
  title: 'Circular saw',
  brandId: 2,
  categoryId: 12,
  rating: null,
  attributes: { voltage: 12, color: 'red' },
  popularity: 50,
})
// Offered by a trade seller only.
await testProduct(db, { id: 9, title: 'Trade saw', categoryId: 12 })
await testProduct(db, { id: 10, title: 'Sold out saw', categoryId: 12, rating: 2.5 })
const delivery = [
  { kind: 'standard', fee: 0, daysMin: 2, daysMax: 4 },
  { kind: 'express', fee: 990, daysMin: 1, daysMax: 1 },
]
const rich = { proPrice: 11_040, promotionEndsAt, couponCode: 'TOOLS10', sponsored: true, bulk: 4, isMmf: true, delivery }
await testOffer(db, { id: 110, productId: 1, price: 12_000, was: 15_000, condition: 'refurbished_very_good', operations: [70], ...rich })
await testOffer(db, { id: 113, productId: 1, price: 300, isSample: true })
await testOffer(db, { id: 114, productId: 1, price: 15_000, sellerId: 2, condition: 'used_good' })
await testOffer(db, { id: 120, productId: 2, price: 9_000 })
await testOffer(db, { id: 121, productId: 1, market: 'fr', sellerId: 4, price: 13_000, operations: [80, 81] })
await testOffer(db, {
  id: 180,
  productId: 8,
  sellerId: 2,
  price: 8_000,
  delivery: [{ kind: 'standard', fee: 590, daysMin: 3, daysMax: 6 }],
})
await testOffer(db, { id: 181, productId: 8, market: 'fr', sellerId: 2, price: 4_000 })
await testOffer(db, { id: 190, productId: 9, sellerId: 3, price: 7_000 })
await testOffer(db, { id: 200, productId: 10, stock: 0, price: 20_000 })
await testProduct(db, { id: 11, title: 'Solar panel', categoryId: 2257 })
await testOffer(db, { id: 210, productId: 11, market: 'de', sellerId: 2, price: 11_900 })
await testProduct(db, { id: 12, title: 'Belt sander', categoryId: 12 })
await testOffer(db, { id: 220, productId: 12, market: 'de', sellerId: 2, price: 4_000, condition: 'used_good' })
await testOffer(db, { id: 221, productId: 12, market: 'fr', sellerId: 2, price: 4_000, condition: 'never_used' })
const engine = await testEngine()
connectSearch(engine)
connectModules()
await rebuildIndex({ db, engine })
const gateway = await testGateway(database.pool)

type Fields = Record<string, unknown>

/** The fields of a product's card on a storefront. */
async function card(productId: number, fields: string, host = 'gb.localhost', category = 1): Promise<Fields> {
  const query = `query ($input: ListingInput!) { listing(input: $input) { cards { productId ${fields} } } }`
  const { status, body } = await gateway.post(query, { input: { kind: 'category', id: category } }, { host })
  const { data, errors } = body as { data: { listing: { cards: Fields[] } }; errors?: unknown }
  assert.equal(status, 200, JSON.stringify(errors))
  const found = data.listing.cards.find((one) => one['productId'] === String(productId))
  assert.ok(found, `${productId} is not listed on ${host}`)
  const { productId: _, ...others } = found
  return others
}

/** Ids, the requested fields, and their values for the rich and the plain product. */
const cases: [ids: string, fields: string, rich: Fields, plain: Fields][] = [
  ['R-335', 'articleId', { articleId: '100001' }, { articleId: '100008' }],
  [
    'R-336',
    'title defaultTitle alternateTitle',
    { title: 'Cordless drill 1 [Refurbished - very good condition]', defaultTitle: 'Cordless drill 1', alternateTitle: 'Tarvok TV-1' },
    { title: 'Circular saw', defaultTitle: 'Circular saw', alternateTitle: 'Brexiro TV-8' },
  ],
  [
    'R-337',
    'brandId brandName brandImageFullpath',
    { brandId: 1, brandName: 'Tarvok', brandImageFullpath: '/pictures/b/1.svg' },
    { brandId: 2, brandName: 'Brexiro', brandImageFullpath: '/pictures/b/2.svg' },
  ],
  ['R-338', 'banner bannerAlternate', { banner: 'Garden days', bannerAlternate: 'Garden days' }, { banner: null, bannerAlternate: null }],
  ['R-340', 'bulk', { bulk: 4 }, { bulk: null }],
  [
    'R-341',
    'categories { L0 { id name } L1 { id name } L2 { id name } L3 { id name } last { id name } }',
    {
      categories: {
        L0: { id: 1, name: 'Tools' },
        L1: { id: 11, name: 'Drills' },
        L2: null,
        L3: null,
        last: { id: 11, name: 'Drills' },
      },
    },
    { categories: { L0: { id: 1, name: 'Tools' }, L1: { id: 12, name: 'Saws' }, L2: null, L3: null, last: { id: 12, name: 'Saws' } } },
  ],
  ['R-342 R-497', 'commercialOperationIds', { commercialOperationIds: [70] }, { commercialOperationIds: [] }],
  ['R-343', 'coupon { code label }', { coupon: { code: 'TOOLS10', label: 'Voucher TOOLS10' } }, { coupon: null }],
  [
    'R-344',
    'deliveryOffers { minFee minFeeTime minTime minTimeFee }',
    { deliveryOffers: { minFee: 0, minFeeTime: 4, minTime: 1, minTimeFee: 990 } },
    { deliveryOffers: { minFee: 0, minFeeTime: 6, minTime: 6, minTimeFee: 0 } },
  ],
  ['R-345', 'has1dayDelivery', { has1dayDelivery: true }, { has1dayDelivery: false }],
  ['R-346', 'has3xPayment', { has3xPayment: true }, { has3xPayment: false }],
  ['R-348', 'hasProConditions', { hasProConditions: true }, { hasProConditions: false }],
  ['R-350', 'hasSample', { hasSample: true }, { hasSample: false }],
  ['R-351', 'imagePath', { imagePath: '/pictures/p/1/main.svg' }, { imagePath: '/pictures/p/8/main.svg' }],
  ['R-354', 'isCompetitive', { isCompetitive: true }, { isCompetitive: false }],
  ['R-355', 'isEcoResponsible', { isEcoResponsible: true }, { isEcoResponsible: false }],
  ['R-357', 'isMmf', { isMmf: true }, { isMmf: false }],
  [
    'R-359',
    'isSecondHand condition',
    { isSecondHand: true, condition: 'refurbished_very_good' },
    { isSecondHand: false, condition: 'new' },
  ],
  ['R-360', 'market', { market: 'gb' }, { market: 'gb' }],
  [
    'R-361',
    'modelId modelMarkets modelsCount',
    { modelId: '5', modelMarkets: ['fr', 'gb'], modelsCount: 2 },
    { modelId: null, modelMarkets: [], modelsCount: 1 },
  ],
  [
    'R-362',
    'offerId pimMasterProductId pimOfferId',
    { offerId: '110', pimMasterProductId: '1', pimOfferId: '110' },
    { offerId: '180', pimMasterProductId: '8', pimOfferId: '180' },
  ],
  ['R-363 R-023', 'proAdvantagePercentage', { proAdvantagePercentage: 8 }, { proAdvantagePercentage: null }],
  ['R-365', 'rating ratingCount', { rating: 4.4, ratingCount: 10 }, { rating: null, ratingCount: 10 }],
  [
    'R-366',
    'sellerCountryId sellerId sellerName',
    { sellerCountryId: 'GB', sellerId: 1, sellerName: 'albion' },
    { sellerCountryId: 'DE', sellerId: 2, sellerName: 'rhein' },
  ],
  ['R-368', 'url', { url: '/p/cordless-drill-1-1' }, { url: '/p/circular-saw-8' }],
  [
    'R-369',
    'technicalInfoValues { key label value }',
    {
      technicalInfoValues: [
        { key: 'voltage', label: 'Voltage', value: '18 V' },
        { key: 'color', label: 'Colour', value: 'blue' },
      ],
    },
    {
      technicalInfoValues: [
        { key: 'voltage', label: 'Voltage', value: '12 V' },
        { key: 'color', label: 'Colour', value: 'red' },
      ],
    },
  ],
  [
    'R-370 R-664 R-666',
    'commercialAnimation { tags promotionEndDate retailPriceTimeLeftLabel }',
    {
      commercialAnimation: {
        tags: ['productdays'],
        promotionEndDate: promotionEndsAt.toISOString(),
        retailPriceTimeLeftLabel: ' ends in 30h',
      },
    },
    { commercialAnimation: { tags: [], promotionEndDate: null, retailPriceTimeLeftLabel: null } },
  ],
  [
    'R-364 R-373 R-374 R-376 R-377 R-387',
    'prices { main { asString ranges { min max } } retail { asString } discount unit { label } }',
    {
      prices: {
        main: { asString: '£120.00', ranges: { min: '£90.00', max: '£120.00' } },
        retail: { asString: '£150.00' },
        discount: 20,
        unit: { label: '£60.00 /m²' },
      },
    },
    { prices: { main: { asString: '£80.00', ranges: null }, retail: null, discount: null, unit: null } },
  ],
  [
    'R-397 R-399 R-395 R-388',
    'badges { type label }',
    {
      badges: [
        { type: 'sponsored', label: 'Sponsored' },
        { type: 'productdays', label: 'Garden days' },
        { type: 'promo', label: '-20%' },
      ],
    },
    { badges: [] },
  ],
]
for (const [ids, fields, ofRich, ofPlain] of cases)
  test(`${ids} a card returns its own ${fields.replace(/ \{.*?\}/g, '')}, and another card a different value`, async () => {
    assert.deepEqual(await card(1, fields), ofRich)
    assert.deepEqual(await card(8, fields), ofPlain)
  })

test('R-339 R-352 a sold-out product has no best offer and is not indexable; one in stock is', async () => {
  assert.deepEqual(await card(1, 'bestOffer indexable'), { bestOffer: true, indexable: true })
  assert.deepEqual(await card(10, 'bestOffer indexable rating'), { bestOffer: false, indexable: false, rating: 2.5 })
})

test('R-347 R-349 V-22 free delivery depends on the fee; no pick-up point is offered', async () => {
  const fields = 'hasFreeDelivery hasRelayDelivery'
  assert.deepEqual(await card(1, fields), { hasFreeDelivery: true, hasRelayDelivery: false })
  assert.deepEqual(await card(9, fields, 'pro.gb.localhost'), { hasFreeDelivery: false, hasRelayDelivery: false })
})

test('R-345 R-346 next-day delivery and payment in three instalments are separate flags', async () => {
  assert.deepEqual(await card(10, 'has1dayDelivery has3xPayment'), { has1dayDelivery: false, has3xPayment: true })
})

test('R-378 R-685 a card under the German zero rate has one price and the note', async () => {
  const prices = await card(11, 'prices { main { asFloat } secondary { asFloat } hasNoVATForDE }', 'pro.de.localhost', 2)
  assert.deepEqual(prices, { prices: { main: { asFloat: 119 }, secondary: null, hasNoVATForDE: true } })
  assert.deepEqual(await card(1, 'prices { hasNoVATForDE }'), { prices: { hasNoVATForDE: false } })
})

test('R-353 R-358 a product offered only by a trade seller is for professionals', async () => {
  assert.deepEqual(await card(1, 'isB2b isSellerB2b', 'pro.gb.localhost'), { isB2b: false, isSellerB2b: false })
  assert.deepEqual(await card(9, 'isB2b isSellerB2b', 'pro.gb.localhost'), { isB2b: true, isSellerB2b: true })
})

test('R-356 R-391 R-390 R-392 the made-in-France label is shown in France only, beside a product’s other labels', async () => {
  assert.deepEqual(await card(1, 'isLocal isEcoResponsible'), { isLocal: false, isEcoResponsible: true })
  const inFrance = await card(1, 'market isLocal isEcoResponsible badges { type }', 'fr.localhost')
  assert.deepEqual(inFrance, {
    market: 'fr',
    isLocal: true,
    isEcoResponsible: true,
    badges: [{ type: 'top_sale' }, { type: 'is_local' }, { type: 'is_eco_responsible' }],
  })
})

test('R-351 R-367 picture addresses carry their version; the first picture is the card’s', async () => {
  const { imageFullpath, thumbnails } = (await card(8, 'imageFullpath thumbnails')) as { imageFullpath: string; thumbnails: string[] }
  assert.match(imageFullpath, /^\/pictures\/p\/8\/main\.svg\?v=\w+$/)
  assert.equal(thumbnails[0], imageFullpath)
  assert.deepEqual(
    thumbnails.map((path) => path.replace(/\?.*/, '')),
    ['/pictures/p/8/main.svg', '/pictures/p/8/side.svg'],
  )
})

test('R-334 a card’s delivery promise is that of its own offer', async () => {
  const [fast, slow] = [await card(2 - 1, 'deliveryPromise'), await card(8, 'deliveryPromise')]
  assert.match(String(fast['deliveryPromise']), /\S/)
  assert.notEqual(fast['deliveryPromise'], slow['deliveryPromise'])
})

test('R-431 R-433 second-hand goods are marked in brackets behind their title, in the words of each market; new goods are not', async () => {
  const shown = async (market: string, id: number) => card(id, 'title condition isSecondHand', `${market}.localhost`)
  const marks = {
    gb: await shown('gb', 1),
    de: await shown('de', 12),
    fr: await shown('fr', 12),
    new: await shown('fr', 1),
  }
  assert.deepEqual(
    Object.values(marks).map(({ condition, isSecondHand }) => [condition, isSecondHand]),
    [
      ['refurbished_very_good', true],
      ['used_good', true],
      ['never_used', true],
      ['new', false],
    ],
  )
  const markOf = ({ title }: Fields) => /\[(.+)\]$/.exec(String(title))?.[1]
  const words = (market: Market, condition: Condition) => wordsFor(market)(`condition.${condition}`)
  assert.deepEqual(Object.values(marks).map(markOf), [
    words('gb', 'refurbished_very_good'),
    words('de', 'used_good'),
    words('fr', 'never_used'),
    undefined,
  ])
})
